import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fold, foldAll } from '../../src/fold/fold.ts';
import { extent } from '../../src/metrics/extent.ts';
import { MESSAGE_TYPES, messages } from '../../src/metrics/messages.ts';
import { countNames } from '../../src/metrics/names.ts';
import { tokens } from '../../src/metrics/tokens.ts';
import { tools } from '../../src/metrics/tools.ts';
import { trajectoryMetrics } from '../../src/metrics/trajectory.ts';
import { turns } from '../../src/metrics/turns.ts';
import type { TrajectoryEvent } from '../../src/model/event.ts';
import { anyEvents, eventsOf } from './events.ts';

/** Latencies are a multiset: their order is not a result. */
function comparable(value: unknown): unknown {
  if (value instanceof Map)
    return [...value].map(([key, one]) => [key, comparable(one)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'latencyMs' ? [...(one as number[])].sort((a, b) => a - b) : comparable(one),
    ]),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: folds of any state
type AnyFold = Fold<TrajectoryEvent, any, unknown>;

const FOLDS: [string, AnyFold, fc.Arbitrary<TrajectoryEvent[]>][] = [
  ['tokens', tokens, eventsOf('token_usage')],
  ['tools', tools, eventsOf('tool_call', 'tool_result')],
  ['turns', turns, eventsOf('turn_start', 'turn_end')],
  ['messages', messages, eventsOf(...MESSAGE_TYPES)],
  ['extent', extent, anyEvents],
  [
    'names',
    countNames(
      (event) => event.data.name,
      (digest) => digest.skills,
    ),
    eventsOf('skill_activation'),
  ],
  ['trajectoryMetrics', trajectoryMetrics as AnyFold, anyEvents],
];

describe.each(FOLDS)('%s', (_, fold, events) => {
  const run = (list: TrajectoryEvent[]) => list.reduce((state, event) => fold.step(state, event), fold.init());
  const cut = (list: TrajectoryEvent[], at: number[]) => {
    const borders = [0, ...at.map((n) => n % (list.length + 1)).sort((a, b) => a - b), list.length];
    return borders.slice(1).map((to, i) => list.slice(borders[i], to));
  };
  /** Merges neighbours in any order until one is left. */
  const mergeAll = (states: unknown[], picks: number[]) => {
    const left = [...states];
    for (let n = 0; left.length > 1; n++) {
      const at = (picks[n % Math.max(1, picks.length)] ?? 0) % (left.length - 1);
      left.splice(at, 2, fold.merge(left[at], left[at + 1]));
    }
    return left[0];
  };
  const numbers = fc.array(fc.nat(), { maxLength: 5 });

  test('merging parts, cut anywhere and joined in any order, equals one pass', () => {
    fc.assert(
      fc.property(events, numbers, numbers, (list, at, picks) => {
        const merged = fold.done(mergeAll(cut(list, at).map(run), picks));
        expect(comparable(merged)).toEqual(comparable(foldAll(fold, list)));
      }),
      { numRuns: 200 },
    );
  });

  test('a merge leaves the second state as it was, then and later', () => {
    fc.assert(
      fc.property(events, events, events, (a, b, c) => {
        const second = run(b);
        const before = structuredClone(second);
        c.reduce((state, event) => fold.step(state, event), fold.merge(run(a), second));
        expect(second).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test('states survive the way to another thread', () => {
    fc.assert(
      fc.property(events, events, (a, b) => {
        const merged = fold.done(fold.merge(structuredClone(run(a)), structuredClone(run(b))));
        expect(comparable(merged)).toEqual(comparable(foldAll(fold, [...a, ...b])));
      }),
      { numRuns: 40 },
    );
  });

  test('a look at the result in between changes nothing', () => {
    fc.assert(
      fc.property(events, events, (a, b) => {
        const state = run(a);
        fold.done(state);
        const end = b.reduce((before, event) => fold.step(before, event), state);
        expect(comparable(fold.done(end))).toEqual(comparable(foldAll(fold, [...a, ...b])));
      }),
      { numRuns: 60 },
    );
  });
});

test('the events themselves are never changed', () => {
  fc.assert(
    fc.property(anyEvents, (list) => {
      const before = structuredClone(list);
      foldAll(trajectoryMetrics, list);
      expect(list).toEqual(before);
    }),
    { numRuns: 40 },
  );
});

test('an event of a type that nobody listens to counts for the extent alone', () => {
  const event = { type: 'telemetry', timestamp: '2026-01-05T00:00:00Z', data: { toolName: 'x', toolCallId: 'y' } };
  const nothing = trajectoryMetrics.done(trajectoryMetrics.init());
  const at = Date.UTC(2026, 0, 5);
  expect(foldAll(trajectoryMetrics, [event])).toEqual({ ...nothing, extent: { first: at, last: at } });
});
