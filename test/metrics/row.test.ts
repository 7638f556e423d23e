import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldAll } from '../../src/fold/fold.ts';
import { trajectoryRow } from '../../src/metrics/row.ts';
import { trajectoryMetrics } from '../../src/metrics/trajectory.ts';
import type { TrajectoryEvent } from '../../src/model/event.ts';
import type { TrajectoryHead } from '../../src/model/trajectory.ts';
import { anyEvents, eventsOf } from './events.ts';

const HEAD: TrajectoryHead = {
  format: 'vally',
  id: 'a',
  task: 't',
  trial: null,
  model: null,
  variant: null,
  executor: null,
  status: null,
  outcome: 'ungraded',
  scores: {},
  hasTrajectory: true,
  costUsd: null,
  graders: {},
  judge: null,
  patch: null,
  recorded: () => ({}),
};
const row = (events: TrajectoryEvent[], head: Partial<TrajectoryHead> = {}) =>
  trajectoryRow({ ...HEAD, ...head }, foldAll(trajectoryMetrics, events), { path: 'p', line: 1, index: null });

const at = (second: number) => new Date(Date.UTC(2026, 0, 5) + 1000 * second).toISOString();
const event = (type: string, second: number | null, data: TrajectoryEvent['data'] = {}): TrajectoryEvent => ({
  type,
  timestamp: second === null ? null : at(second),
  data,
});
const turn = (id: number, from: number, to: number) => [
  event('turn_start', from, { turnId: id }),
  event('turn_end', to, { turnId: id }),
];
const call = (id: string, from: number, to: number | null) => [
  event('tool_call', from, { toolCallId: id, toolName: 't' }),
  ...(to === null ? [] : [event('tool_result', to, { toolCallId: id })]),
];

describe('where the time went', () => {
  test.each<[string, TrajectoryEvent[], Partial<TrajectoryHead>, [number | null, number | null, number | null]]>([
    // Turns 0–10 and 12–20 are 18 s; tools 2–6 and 15–16 are 5 s within them; the wall time is 25 s.
    [
      'tools within turns are the tools’',
      [...turn(1, 0, 10), ...turn(2, 12, 20), ...call('a', 2, 6), ...call('b', 15, 16)],
      { wallTimeMs: 25_000 },
      [13_000, 5000, 7000],
    ],
    // Calls 2–6 and 4–8 overlap: 6 s, not 8.
    [
      'overlapping calls count once',
      [...turn(1, 0, 10), ...call('a', 2, 6), ...call('b', 4, 8)],
      { wallTimeMs: 10_000 },
      [4000, 6000, 0],
    ],
    // The call goes on 5 s beyond its turn.
    [
      'a call that outlives its turn',
      [...turn(1, 0, 10), ...call('a', 8, 15)],
      { wallTimeMs: 20_000 },
      [8000, 7000, 5000],
    ],
    ['overlapping turns count once', [...turn(1, 0, 10), ...turn(2, 5, 12)], { wallTimeMs: 12_000 }, [12_000, 0, 0]],
    [
      'a call that is never answered takes no time',
      [...turn(1, 0, 10), ...call('a', 3, null)],
      { wallTimeMs: 10_000 },
      [10_000, null, 0],
    ],
    ['no calls take no time', [...turn(1, 0, 10)], { wallTimeMs: 11_000 }, [10_000, 0, 1000]],
    ['without turns the model’s time is not known', call('a', 1, 3), { wallTimeMs: 10_000 }, [null, 2000, 8000]],
    ['the model’s time may be recorded', call('a', 1, 3), { wallTimeMs: 10_000, llmMs: 4000 }, [4000, 2000, 4000]],
    [
      'without times nothing is known',
      [event('tool_call', null, { toolCallId: 'a' }), event('turn_end', null)],
      { wallTimeMs: 10_000 },
      [null, null, null],
    ],
    [
      'without a wall time the rest is not known',
      [...turn(1, 0, 10), ...call('a', 1, 2)],
      { wallTimeMs: null },
      [9000, 1000, null],
    ],
    ['the rest is never negative', [...turn(1, 0, 10)], { wallTimeMs: 1000 }, [10_000, 0, 0]],
  ])('%s', (_, events, head, [llmMs, toolMs, otherMs]) => {
    expect(row(events, head).time).toEqual({ llmMs, toolMs, otherMs });
  });

  test('the parts never exceed a wall time from first to last event, and add up to it', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { time, metrics } = row(events);
        if (metrics.wallTimeMs === null || time.otherMs === null) return;
        expect((time.llmMs ?? 0) + (time.toolMs ?? 0) + time.otherMs).toBe(metrics.wallTimeMs);
        for (const part of Object.values(time)) expect(part ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('missing is not zero', () => {
  test('without usage in the log the tokens are null', () => {
    fc.assert(
      fc.property(
        eventsOf('tool_call', 'tool_result', 'turn_start', 'turn_end', 'error', 'user_message', 'telemetry'),
        (events) => {
          const { metrics } = row(events);
          expect(metrics.tokenUsage).toBeNull();
          expect([
            metrics.toolCallCount,
            metrics.turnCount,
            metrics.errorCount,
            metrics.skillActivationCount,
          ]).not.toContain(null);
        },
      ),
    );
  });

  test('with usage the counts are sums, and cache tokens are not added', () => {
    fc.assert(
      fc.property(eventsOf('token_usage'), (events) => {
        fc.pre(events.length > 0);
        const valid = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);
        const sum = (key: string) => events.reduce((total, { data }) => total + valid(data[key]), 0);
        const { tokenUsage } = row(events).metrics;
        expect(tokenUsage).toMatchObject({
          inputTokens: sum('inputTokens'),
          outputTokens: sum('outputTokens'),
          totalTokens: sum('inputTokens') + sum('outputTokens'),
          cacheReadTokens: sum('cacheReadTokens'),
          cacheWriteTokens: sum('cacheWriteTokens'),
          callCount: events.length,
        });
        const models = Object.values(tokenUsage!.byModel);
        expect(models.reduce((total, model) => total + model.inputTokens, 0)).toBe(sum('inputTokens'));
        expect(models.reduce((total, model) => total + model.callCount, 0)).toBe(events.length);
      }),
    );
  });

  test('without times there is no wall time and no start', () => {
    const { metrics, startedAt, completedAt, time } = row([
      event('user_message', null),
      event('tool_call', null, { toolName: 'x' }),
    ]);
    expect([metrics.wallTimeMs, startedAt, completedAt]).toEqual([null, null, null]);
    expect(time).toEqual({ llmMs: null, toolMs: null, otherMs: null });
  });

  test('without a trajectory every count is null, and the breakdowns are empty', () => {
    expect(row([], { hasTrajectory: false, wallTimeMs: 5 }).metrics).toEqual({
      tokenUsage: null,
      toolCallCount: null,
      toolCallBreakdown: {},
      skillActivationCount: null,
      skillActivationBreakdown: {},
      turnCount: null,
      wallTimeMs: null,
      errorCount: null,
    });
  });

  test('a single time is a wall time of zero', () => {
    expect(row([event('user_message', 3)]).metrics.wallTimeMs).toBe(0);
  });
});

test('the breakdown of calls adds up to their count', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const { metrics, tools } = row(events);
      expect(Object.values(metrics.toolCallBreakdown).reduce((sum, n) => sum + n, 0)).toBe(metrics.toolCallCount);
      expect(Object.values(metrics.toolCallBreakdown)).not.toContain(0);
      expect(Object.values(tools).reduce((sum, { calls }) => sum + calls, 0)).toBe(metrics.toolCallCount);
    }),
  );
});

test('declared times and turns stand above those of the events, and null is a declaration', () => {
  const events = [event('user_message', 1), event('turn_end', 9)];
  expect(row(events, { turnCount: 7, wallTimeMs: null, startedAt: null }).metrics).toMatchObject({
    turnCount: 7,
    wallTimeMs: null,
  });
  expect(row(events, { startedAt: null })).toMatchObject({ startedAt: null, completedAt: at(9) });
  expect(row(events).metrics).toMatchObject({ turnCount: 1, wallTimeMs: 8000 });
});
