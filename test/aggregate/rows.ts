import fc from 'fast-check';
import type { TokenUsage } from '../../src/model/metrics.ts';
import { OUTCOMES, type TrajectoryRow } from '../../src/model/row.ts';

type Changes = Partial<Omit<TrajectoryRow, 'metrics' | 'source' | 'time'>> & {
  metrics?: Partial<TrajectoryRow['metrics']>;
  source?: Partial<TrajectoryRow['source']>;
  time?: Partial<TrajectoryRow['time']>;
};

/** A row that knows nothing but what it is told. */
export function makeRow({ metrics, source, time, ...changes }: Changes = {}): TrajectoryRow {
  return {
    type: 'trajectory-metrics',
    schema: 1,
    format: 'vally',
    source: { path: 'results.jsonl', line: 1, index: null, ...source },
    id: null,
    task: null,
    trial: null,
    model: null,
    variant: null,
    executor: null,
    status: null,
    outcome: 'ungraded',
    scores: {},
    startedAt: null,
    completedAt: null,
    metrics: {
      tokenUsage: null,
      toolCallCount: null,
      toolCallBreakdown: {},
      skillActivationCount: null,
      skillActivationBreakdown: {},
      turnCount: null,
      wallTimeMs: null,
      errorCount: null,
      ...metrics,
    },
    costUsd: null,
    tools: {},
    errors: {},
    graders: {},
    judge: null,
    time: { llmMs: null, toolMs: null, otherMs: null, ...time },
    messages: { system: 0, user: 0, assistant: 0, tool: 0 },
    patch: null,
    recorded: {},
    ...changes,
  };
}

export function makeUsage(changes: Partial<TokenUsage> = {}): TokenUsage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    callCount: 0,
    byModel: {},
    ...changes,
  };
}

/** One row per trial, from lists such as `{ A: 'pass pass fail' }`. */
export function makeTrials(tasks: Record<string, string>): TrajectoryRow[] {
  const outcomes = { pass: 'passed', fail: 'failed', error: 'error', timeout: 'timeout', skip: 'skipped' } as const;
  return Object.entries(tasks).flatMap(([task, trials]) =>
    trials.split(' ').map((word) => makeRow({ task, outcome: outcomes[word as keyof typeof outcomes] })),
  );
}

const name = fc.constantFrom('', '__proto__', 'constructor', '(other)', 'bash', 'read', '10', '9', 'é', '名前', 'z');
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const number = fc.oneof(
  fc.nat(),
  fc.nat({ max: 9 }),
  fc.double({ min: -1e3, max: 1e6, noNaN: true }),
  fc.constant(0.1),
);
const anyNumber = fc.oneof({ weight: 9, arbitrary: number }, fc.double());
const counts = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Record<string, T>);

/** Any row that a log could give, and some that none should. */
export const anyRow: fc.Arbitrary<TrajectoryRow> = fc
  .record({
    source: fc.record({
      path: fc.constantFrom('a.jsonl', 'b.jsonl', '-'),
      line: nullable(fc.nat({ max: 3 })),
      index: nullable(fc.nat({ max: 2 })),
    }),
    id: nullable(name),
    task: nullable(name),
    model: nullable(name),
    variant: nullable(name),
    status: nullable(name),
    outcome: fc.constantFrom(...OUTCOMES),
    scores: counts(anyNumber),
    startedAt: nullable(
      fc.constantFrom('2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00+02:00'),
    ),
    costUsd: nullable(anyNumber),
    tools: counts(
      fc.record({
        calls: number,
        errors: number,
        unanswered: number,
        latencyMs: fc.array(anyNumber, { maxLength: 4 }),
      }),
    ),
    errors: counts(number),
    graders: counts(fc.record({ passed: number, failed: number })),
    judge: nullable(fc.record({ inputTokens: number, outputTokens: number, latencyMs: number })),
    metrics: fc.record({
      tokenUsage: nullable(
        fc.record({
          inputTokens: number,
          cacheReadTokens: number,
          byModel: counts(fc.record({ inputTokens: number, outputTokens: number, callCount: number })),
        }),
      ),
      toolCallCount: nullable(number),
      skillActivationBreakdown: counts(fc.nat({ max: 3 })),
      turnCount: nullable(number),
      wallTimeMs: nullable(fc.oneof(anyNumber, fc.nat({ max: 3 }))),
    }),
    time: fc.record({ llmMs: nullable(number) }),
  })
  .map(({ metrics: { tokenUsage, ...metrics }, ...changes }) =>
    makeRow({ ...changes, metrics: { ...metrics, tokenUsage: tokenUsage && makeUsage(tokenUsage) } }),
  );
