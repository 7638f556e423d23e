import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import type { Dimension } from '../../src/aggregate/dimension.ts';
import { reportFold } from '../../src/aggregate/report.ts';
import type { TrajectoryRow } from '../../src/model/row.ts';
import { makeRow, makeUsage } from './rows.ts';

/** The size of the state after each of the given numbers of rows. */
function sizesAfter(counts: number[], by: Dimension[], rowAt: (i: number) => TrajectoryRow): number[] {
  const fold = reportFold(by);
  let state = fold.init();
  let i = 0;
  return counts.map((count) => {
    for (; i < count; i++) state = fold.step(state, rowAt(i));
    return serialize(state).byteLength;
  });
}

const usage = (i: number) =>
  makeUsage({ inputTokens: i, byModel: { [`m${i}`]: { inputTokens: i, outputTokens: 1, callCount: 1 } } });

test('memory stays flat when rows go on and on', () => {
  const rowAt = (i: number) =>
    makeRow({
      task: `task ${i % 500}`,
      model: `model ${i % 3}`,
      outcome: i % 7 < 4 ? 'passed' : 'failed',
      costUsd: ((i * 7919) % 10_007) / 97,
      metrics: { wallTimeMs: (i * 7919) % 600_000, toolCallCount: i % 50 },
      tools: { bash: { calls: 2, errors: 0, unanswered: 0, latencyMs: [(i * 31) % 5000, (i * 37) % 5000] } },
    });
  const [early, late] = sizesAfter([40_000, 120_000], ['model'], rowAt);
  expect(late! / early!).toBeLessThan(1.05);
});

test('memory stays flat when no task comes twice', () => {
  const [early, late] = sizesAfter([70_000, 140_000], [], (i) => makeRow({ task: `task ${1_000_000 + i}` }));
  expect(late! / early!).toBeLessThan(1.3); // between the limit and a quarter more is held
});

test('memory stays flat when no other name comes twice', () => {
  const rowAt = (i: number) =>
    makeRow({
      status: `status ${i}`,
      errors: { [`error ${i}`]: 1 },
      tools: { [`tool ${i}`]: { calls: 1, errors: 0, unanswered: 0, latencyMs: [i % 100] } },
      metrics: { tokenUsage: usage(i), skillActivationBreakdown: { [`skill ${i}`]: 1 } },
      graders: { [`grader ${i}`]: { passed: 1, failed: 0 } },
      scores: { [`score ${i}`]: i },
    });
  // Both after 10,000 values, of which that many are kept.
  const [early, late] = sizesAfter([15_000, 45_000], [], rowAt);
  expect(late! / early!).toBeLessThan(1.3);
});
