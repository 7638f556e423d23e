import { describe, expect, test } from 'vitest';
import { lines, messagesOf, read, rowIn, stream } from '../support.ts';

type Parts = { events?: unknown[]; trajectory?: object | null; record?: object };

const EVENTS: unknown[] = [];
const METADATA = { startedAt: '2026-01-05T10:00:00Z', completedAt: '2026-01-05T10:00:10Z' };

function record({ events = EVENTS, trajectory = {}, record = {} }: Parts): object {
  const inner = trajectory && { events, id: 'a', metadata: METADATA, ...trajectory };
  return { type: 'trial-result', status: 'success', gradeResult: null, trajectory: inner, ...record };
}

const row = (parts: Parts) => rowIn(lines(record(parts)));
const event = (type: string, data: object = {}, timestamp?: string) => ({
  type,
  data,
  ...(timestamp ? { timestamp } : {}),
});
const usage = (inputTokens: number, outputTokens: number, more: object = {}) =>
  event('token_usage', { inputTokens, outputTokens, ...more });

describe('vally metrics', () => {
  test('tokens are sums over token_usage events, and cache tokens are a part of the input', async () => {
    const events = [
      usage(100, 10, { model: 'a', cacheReadTokens: 40, cacheWriteTokens: 5 }),
      usage(200, 20, { model: 'b', cacheReadTokens: 60 }),
      usage(1, 2, { model: 'a' }),
      usage(3, 4),
    ];
    expect((await row({ events })).metrics.tokenUsage).toEqual({
      inputTokens: 304,
      outputTokens: 36,
      totalTokens: 340,
      cacheReadTokens: 100,
      cacheWriteTokens: 5,
      callCount: 4,
      byModel: {
        a: { inputTokens: 101, outputTokens: 12, callCount: 2 },
        b: { inputTokens: 200, outputTokens: 20, callCount: 1 },
        '(unknown)': { inputTokens: 3, outputTokens: 4, callCount: 1 },
      },
    });
  });

  test('counts are of events, by name', async () => {
    const events = [
      event('tool_call', { toolName: 'read', toolCallId: '1' }),
      event('tool_call', { toolName: 'read', toolCallId: '2' }),
      event('tool_call', { toolName: '__proto__', toolCallId: '3' }),
      event('tool_result', { toolCallId: '1', success: false }),
      event('tool_result', { toolCallId: '2', success: true }),
      event('skill_activation', { name: 's' }),
      event('skill_activation', { name: 's' }),
      event('turn_start', { turnId: 1 }),
      event('turn_end', { turnId: 1 }),
      event('turn_end', { turnId: 2 }),
      event('error', { type: 'rate_limit' }),
      event('error', {}),
    ];
    const { metrics, tools, errors } = await row({ events });
    expect(metrics).toMatchObject({ toolCallCount: 3, skillActivationCount: 2, turnCount: 2, errorCount: 2 });
    expect(Object.entries(metrics.toolCallBreakdown).sort()).toEqual([
      ['__proto__', 1],
      ['read', 2],
    ]);
    expect(metrics.skillActivationBreakdown).toEqual({ s: 2 });
    expect(tools.read).toEqual({ calls: 2, errors: 1, unanswered: 0, latencyMs: [] });
    expect(Object.entries(tools).find(([name]) => name === '__proto__')?.[1]).toMatchObject({
      calls: 1,
      unanswered: 1,
    });
    expect(errors).toEqual({ rate_limit: 1, '(unknown)': 1 });
  });

  test('a failed tool result is no error event', async () => {
    const { metrics, tools } = await row({
      events: [
        event('tool_call', { toolName: 't', toolCallId: 1 }),
        event('tool_result', { toolCallId: 1, success: false }),
      ],
    });
    expect([metrics.errorCount, tools.t.errors]).toEqual([0, 1]);
  });

  test.each([
    ['is completedAt minus startedAt', { metadata: METADATA }, 10_000],
    ['is never that of the events where there is metadata', { metadata: { model: 'x' } }, null],
    ['is that of the events where there is no metadata', { metadata: undefined }, 3000],
    [
      'is not known where the end is before the start',
      { metadata: { startedAt: METADATA.completedAt, completedAt: METADATA.startedAt } },
      null,
    ],
    [
      'counts offsets',
      { metadata: { startedAt: '2026-01-05T12:00:00+02:00', completedAt: '2026-01-05T10:00:01Z' } },
      1000,
    ],
  ])('the wall time %s', async (_, trajectory, expected) => {
    const events = [
      event('user_message', {}, '2026-01-05T10:00:02Z'),
      event('assistant_message', {}, '2026-01-05T10:00:05Z'),
    ];
    expect((await row({ events, trajectory })).metrics.wallTimeMs).toBe(expected);
  });

  test('unknown event types are kept and counted for nothing', async () => {
    const events = [event('reasoning'), event('custom'), event('telemetry', { toolName: 'x' }), event('system')];
    const { metrics, messages } = await row({ events });
    expect(metrics).toMatchObject({ toolCallCount: 0, errorCount: 0, turnCount: 0, tokenUsage: null });
    expect(messages).toEqual({ system: 1, user: 0, assistant: 0, tool: 0 });
  });

  test('events that are no objects with a type are left out and told of', async () => {
    const { rows, account } = await read([
      stream(lines(record({ events: [null, 3, {}, { type: 5 }, event('error')] })), 'r'),
    ]);
    expect(rows[0].metrics.errorCount).toBe(1);
    expect(messagesOf(account)).toEqual(['r:1: 4 of its events are not objects with a type, and were left out']);
    expect(account).toMatchObject({ good: 1, bad: 0 });
  });

  test.each([[-5], [Number.POSITIVE_INFINITY], ['12'], [true], [{}]])(
    'a token count of %j is no number of tokens, and is told of',
    async (count) => {
      const text = lines(
        record({ events: [usage(1, 2), event('token_usage', { inputTokens: count, outputTokens: 3 })] }),
      ).replace('null,"outputTokens":3', '1e400,"outputTokens":3');
      const { rows, account } = await read([stream(text)]);
      expect(rows[0].metrics.tokenUsage).toMatchObject({ inputTokens: 1, outputTokens: 5, callCount: 2 });
      expect(account.problems[0].message).toMatch(/^1 token counts/);
    },
  );

  test('usage of zero that the log itself states is zero, and without a statement it is missing', async () => {
    const zero = { tokenUsage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, callCount: 0 } };
    expect((await row({ trajectory: { metrics: zero } })).metrics.tokenUsage).toMatchObject({
      inputTokens: 0,
      callCount: 0,
    });
    expect((await row({})).metrics.tokenUsage).toBeNull();
  });

  test('recorded metrics are kept as they are, and change nothing', async () => {
    const metrics = {
      tokenUsage: { inputTokens: 7, callCount: 3 },
      toolCallCount: 9,
      turnCount: 8,
      wallTimeMs: 5,
      errorCount: 4,
    };
    const { recorded, metrics: derived } = await row({
      events: [usage(1, 1)],
      trajectory: { metrics },
      record: { durationMs: 77 },
    });
    expect(recorded).toEqual({
      inputTokens: 7,
      callCount: 3,
      toolCallCount: 9,
      turnCount: 8,
      wallTimeMs: 5,
      errorCount: 4,
      durationMs: 77,
    });
    expect(derived).toMatchObject({
      toolCallCount: 0,
      turnCount: 0,
      wallTimeMs: 10_000,
      tokenUsage: { inputTokens: 1 },
    });
  });
});

describe('the identity of a vally row', () => {
  test('is that of the record, else of the trajectory', async () => {
    const trajectory = { stimulus: { name: 'inner' }, metadata: { model: 'm2', executor: 'e' } };
    const of = (more: object) => row({ trajectory, record: more });
    expect(await of({ stimulus: 'outer', model: 'm1', trialIndex: 0, variant: 'v' })).toMatchObject({
      id: 'a',
      task: 'outer',
      model: 'm1',
      trial: 0,
      variant: 'v',
      executor: 'e',
    });
    expect(await of({})).toMatchObject({ id: 'a', task: 'inner', model: 'm2', trial: null, variant: null });
  });

  test('times are in UTC', async () => {
    const trajectory = { metadata: { startedAt: '2026-01-01T00:30:00+01:00', completedAt: '2026-01-01T00:00:00.5Z' } };
    expect(await row({ trajectory })).toMatchObject({
      startedAt: '2025-12-31T23:30:00.000Z',
      completedAt: '2026-01-01T00:00:00.500Z',
    });
  });
});

describe('the outcome of a vally record', () => {
  const graded = (passed: unknown) => ({ gradeResult: { name: 'g', passed, score: 0.25 } });
  const cases: [string, Parts, string][] = [
    ['a skipped status is skipped', { record: { status: 'skipped', ...graded(true) } }, 'skipped'],
    ['a grade that passed', { record: graded(true) }, 'passed'],
    ['a grade that failed', { record: graded(false) }, 'failed'],
    ['a grade stands above an error status', { record: { status: 'error', ...graded(true) } }, 'passed'],
    ['a grade stands above a timeout', { trajectory: { endReason: 'agent_timeout' }, record: graded(false) }, 'failed'],
    ['an error status', { record: { status: 'error' } }, 'error'],
    ['no trajectory', { trajectory: null }, 'error'],
    [
      'an error that says timeout',
      { trajectory: null, record: { status: 'error', error: 'Timed out after 60 s' } },
      'timeout',
    ],
    [
      'an error with a timeout code',
      { trajectory: null, record: { status: 'error', error: { message: 'ETIMEOUT: time-out' } } },
      'timeout',
    ],
    [
      'an end reason of timeout and an error',
      { trajectory: { endReason: 'agent_timeout' }, record: { status: 'error' } },
      'timeout',
    ],
    [
      'an end reason that is no timeout',
      { trajectory: { endReason: 'completed' }, record: { status: 'error' } },
      'error',
    ],
    ['no grade', {}, 'ungraded'],
    ['a legacy ok without a grade', { record: { status: 'ok' } }, 'ungraded'],
    ['a grade without a verdict', { record: graded(null) }, 'ungraded'],
  ];
  test.each(cases)('%s', async (_, parts, outcome) => {
    expect((await row(parts)).outcome).toBe(outcome);
  });

  test('an error record is a row with null metrics, and not a bad line', async () => {
    const { rows, account } = await read([
      stream(lines(record({ trajectory: null, record: { status: 'error', error: 'boom', stimulus: 't' } }))),
    ]);
    expect(account).toMatchObject({ good: 1, bad: 0, trajectories: 1, problemCount: 0 });
    expect(rows[0]).toMatchObject({
      task: 't',
      status: 'error',
      id: null,
      startedAt: null,
      tools: {},
      time: { llmMs: null, toolMs: null, otherMs: null },
    });
    const { toolCallBreakdown, skillActivationBreakdown, ...counts } = rows[0].metrics;
    expect(Object.values(counts)).toEqual([null, null, null, null, null, null]);
    expect([toolCallBreakdown, skillActivationBreakdown]).toEqual([{}, {}]);
  });
});

describe('grades', () => {
  const llm = (name: string, passed: boolean, spend: [number, number, number] | null, details?: object[]) => ({
    name,
    kind: 'llm',
    passed,
    score: passed ? 1 : 0,
    ...(spend
      ? {
          metadata: {
            token_usage: { inputTokens: spend[0], outputTokens: spend[1], model: 'judge' },
            latency_ms: spend[2],
          },
        }
      : {}),
    ...(details ? { details } : {}),
  });

  test('every grader below the top one is counted, at any depth', async () => {
    const gradeResult = {
      name: 'top',
      passed: true,
      score: 0.75,
      details: [llm('a', true, null, [llm('b', false, null), llm('a', true, null)]), llm('b', false, null)],
    };
    const { graders, scores } = await row({ record: { gradeResult } });
    expect(graders).toEqual({ a: { passed: 2, failed: 0 }, b: { passed: 0, failed: 2 } });
    expect(scores).toEqual({ score: 0.75 });
  });

  test('a grader that stands alone is counted itself', async () => {
    expect((await row({ record: { gradeResult: llm('solo', false, null) } })).graders).toEqual({
      solo: { passed: 0, failed: 1 },
    });
  });

  test("the judge's spend is summed from the finest graders, and never added to the agent's", async () => {
    const gradeResult = {
      name: 'top',
      passed: true,
      details: [
        llm('sum', true, [300, 30, 3], [llm('x', true, [100, 10, 1]), llm('y', true, [200, 20, 2])]),
        llm('z', true, [5, 6, 7]),
      ],
    };
    const { judge, metrics } = await row({ events: [usage(1, 2)], record: { gradeResult } });
    expect(judge).toEqual({ inputTokens: 305, outputTokens: 36, latencyMs: 10 });
    expect(metrics.tokenUsage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });

  test('without a judge there is no spend', async () => {
    expect((await row({ record: { gradeResult: llm('g', true, null) } })).judge).toBeNull();
  });
});

test('records that are no trials are skipped, and counted by their type', async () => {
  const records = [
    { type: 'run-summary' },
    { type: 'comparison' },
    { type: 'telemetry', trajectory: { events: [usage(5, 5)] } },
    { type: 'telemetry' },
    { hello: 1 },
  ];
  const { rows, account } = await read([stream(lines(record({}), ...records, record({})))]);
  expect(rows).toHaveLength(2);
  expect(rows[1].metrics.tokenUsage).toBeNull();
  expect(Object.fromEntries(account.skipped)).toEqual({
    'run-summary': 1,
    comparison: 1,
    telemetry: 2,
    '(no type)': 1,
  });
  expect(account).toMatchObject({ good: 7, bad: 0 });
});
