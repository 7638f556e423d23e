import { describe, expect, test } from 'vitest';
import type { Dimension } from '../../src/aggregate/dimension.ts';
import { LIMITS } from '../../src/aggregate/limits.ts';
import { reportFold } from '../../src/aggregate/report.ts';
import { foldAll } from '../../src/fold/fold.ts';
import { METRIC_NAMES } from '../../src/model/report.ts';
import type { TrajectoryRow } from '../../src/model/row.ts';
import { keepsTheLaws } from '../fold/laws.ts';
import { anyRow, makeRow, makeTrials, makeUsage } from './rows.ts';

const totalOf = (rows: TrajectoryRow[]) => foldAll(reportFold([]), rows).total;
const groupsOf = (by: Dimension[], rows: TrajectoryRow[]) => foldAll(reportFold(by), rows).groups;

describe('the report keeps the laws of a fold', () => {
  keepsTheLaws('without groups', reportFold([]), anyRow, { maxLength: 15, numRuns: 40 });
  keepsTheLaws('by task, model and day', reportFold(['task', 'model', 'day']), anyRow, { maxLength: 15, numRuns: 20 });
});

test('a report of nothing has every field, and says nothing', () => {
  const { total, groups } = foldAll(reportFold(['model']), []);
  expect(groups).toEqual([]);
  expect(total).toMatchObject({
    key: {},
    trajectories: 0,
    tasks: 0,
    outcomes: { passed: 0, failed: 0, error: 0, timeout: 0, skipped: 0, ungraded: 0 },
    passRate: null,
    strictPassRate: null,
    passAtK: {},
    passHatK: {},
    tokensByModel: {},
    tools: [],
    skills: [],
    errors: [],
    graders: [],
    statuses: [],
    judge: null,
    flaky: [],
    costPerPass: null,
    slowest: [],
    costliest: [],
  });
  expect(Object.keys(total.distributions)).toEqual([...METRIC_NAMES]);
  expect(total.distributions.costUsd).toEqual({
    count: 0,
    missing: 0,
    sum: null,
    mean: null,
    sd: null,
    min: null,
    p50: null,
    p90: null,
    p95: null,
    p99: null,
    max: null,
    exact: true,
  });
  expect(total).not.toHaveProperty('capped');
});

describe('groups', () => {
  test('come in the order of code units, null last, each with its part of the rows', () => {
    const rows = ['b', null, 'a', 'B', 'b', 'ä', ''].map((model) => makeRow({ model }));
    const groups = groupsOf(['model'], rows);
    expect(groups.map((group) => group.key.model)).toEqual(['', 'B', 'a', 'b', 'ä', null]);
    expect(groups.map((group) => group.trajectories)).toEqual([1, 1, 1, 2, 1, 1]);
  });

  test('may have several dimensions, and the text null is not null', () => {
    const rows = [
      makeRow({ model: 'null', variant: 'x' }),
      makeRow({ model: null, variant: 'x' }),
      makeRow({ model: 'm', variant: null }),
      makeRow({ model: 'm', variant: 'x' }),
    ];
    expect(groupsOf(['model', 'variant'], rows).map((group) => group.key)).toEqual([
      { model: 'm', variant: 'x' },
      { model: 'm', variant: null },
      { model: 'null', variant: 'x' },
      { model: null, variant: 'x' },
    ]);
  });

  test('by day are days in UTC', () => {
    const starts = ['2026-03-01T23:59:59.999Z', '2026-03-02T01:30:00+02:00', '2026-03-02T00:00:00Z', null, 'yesterday'];
    const groups = groupsOf(['day'], starts.map((startedAt) => makeRow({ startedAt }))); // biome-ignore format: one line
    expect(groups.map((group) => [group.key.day, group.trajectories])).toEqual([
      ['2026-03-01', 2],
      ['2026-03-02', 1],
      [null, 2],
    ]);
  });

  test('beyond the limit form one group, and the total says so', () => {
    const count = LIMITS.groups + 1500;
    const rows = Array.from({ length: count }, (_, i) => makeRow({ task: `task ${i}`, costUsd: 1 }));
    const { total, groups } = foldAll(reportFold(['task', 'format']), rows);
    expect(groups.length).toBe(LIMITS.groups + 1);
    const other = groups.find((group) => group.key.task === '(other)')!;
    expect(other).toMatchObject({ key: { task: '(other)', format: '(other)' }, trajectories: 1500, tasks: 1500 });
    expect(other.distributions.costUsd!.sum).toBe(1500);
    expect(total).toMatchObject({ trajectories: count, tasks: count, capped: ['groups'] });
    expect(foldAll(reportFold(['task', 'format']), rows.toReversed()).groups).toEqual(groups);
  });
});

describe('rates', () => {
  test('of the worked example have its standard error', () => {
    const rows = makeTrials({ A: 'pass pass pass fail', B: 'fail fail fail fail', C: 'pass pass pass pass' });
    const { passRate, tasks } = totalOf(rows);
    expect(tasks).toBe(3);
    // t(0.975, 2) · SE = 1.29, so the interval is everything
    expect(passRate).toEqual({
      value: 7 / 12,
      n: 12,
      low: 0,
      high: 1,
      standardError: expect.closeTo(Math.sqrt(13) / 12, 14),
      clusters: 3,
      method: 'clustered-t',
    });
  });

  test('have their own denominators', () => {
    const { passRate, strictPassRate, outcomes } = totalOf(
      makeTrials({ A: 'pass fail error timeout skip', B: 'pass' }),
    );
    expect(outcomes).toMatchObject({ passed: 2, failed: 1, error: 1, timeout: 1, skipped: 1 });
    expect(passRate).toMatchObject({ value: 2 / 3, n: 3, clusters: 2, method: 'clustered-t' });
    expect(strictPassRate).toMatchObject({ value: 2 / 5, n: 5, clusters: 2, method: 'clustered-t' });
    // Deviations from 2/5: A 1 − 4·2/5 = −3/5, B 3/5; sqrt(2 · 2 · 9/25) / 5
    expect(strictPassRate!.standardError).toBeCloseTo(6 / 25, 14);
  });

  // low and high: python3 -c 'from scipy import stats; print(stats.binomtest(k, n).proportion_ci(method="wilson"))'
  test.each([
    [
      'one trial each',
      { A: 'pass', B: 'pass', C: 'pass', D: 'fail' },
      0.75,
      4,
      0.30064184258240184,
      0.9544127391902995,
      4,
    ],
    ['a single task', { A: 'pass pass pass fail' }, 0.75, 4, 0.30064184258240184, 0.9544127391902995, 1],
    ['no spread between tasks', { A: 'pass fail', B: 'fail pass' }, 0.5, 4, 0.150039, 0.849961, 2],
  ])("fall back to Wilson's interval for %s", (_, trials, value, n, low, high, clusters) => {
    const { passRate } = totalOf(makeTrials(trials));
    expect(passRate).toEqual({
      value,
      n,
      low: expect.closeTo(low, 6),
      high: expect.closeTo(high, 6),
      standardError: expect.closeTo(Math.sqrt((value * (1 - value)) / n), 14),
      clusters,
      method: 'wilson',
    });
  });

  test('of one trial have no standard error', () => {
    expect(totalOf(makeTrials({ A: 'pass' })).passRate).toMatchObject({ n: 1, standardError: null, method: 'wilson' });
  });

  test('take a row without a task for a task of its own', () => {
    const rows = [...makeTrials({ A: 'pass pass' }), makeRow({ outcome: 'passed' }), makeRow({ outcome: 'failed' })];
    const { passRate, tasks } = totalOf(rows);
    expect(tasks).toBe(1);
    // Deviations from 3/4: 1/2, 1/4, −3/4; sqrt(3/2 · 14/16) / 4
    expect(passRate).toMatchObject({ value: 0.75, n: 4, clusters: 3, method: 'clustered-t' });
    expect(passRate!.standardError).toBeCloseTo(Math.sqrt(21 / 16) / 4, 14);
  });
});

describe('repeats', () => {
  test('go up to the k that every graded task reaches', () => {
    const { passAtK, passHatK } = totalOf(
      makeTrials({ A: 'pass pass fail', B: 'fail fail fail pass error', C: 'error' }),
    );
    // A: n = 3, c = 2; B: n = 4, c = 1; C is not graded
    expect(passAtK).toEqual({
      1: expect.closeTo((2 / 3 + 1 / 4) / 2, 14),
      2: expect.closeTo((1 + 1 / 2) / 2, 14), // B: 1 − C(3,2)/C(4,2)
      3: expect.closeTo((1 + 3 / 4) / 2, 14), // B: 1 − C(3,3)/C(4,3)
    });
    expect(passHatK).toEqual({ 1: expect.closeTo((2 / 3 + 1 / 4) / 2, 14), 2: expect.closeTo(1 / 3 / 2, 14), 3: 0 });
  });

  test('stop at ten', () => {
    const { passAtK } = totalOf(makeTrials({ A: Array(25).fill('pass').join(' ') }));
    expect(Object.keys(passAtK)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  test('list the flakiest tasks first', () => {
    const { flaky } = totalOf(
      makeTrials({
        sure: 'pass pass',
        rare: 'pass pass pass fail',
        'coin b': 'pass fail',
        'coin a': 'fail pass',
        'long coin': 'pass pass fail fail error',
        lost: 'fail fail',
      }),
    );
    expect(flaky).toEqual([
      { task: 'long coin', passed: 2, failed: 2 },
      { task: 'coin a', passed: 1, failed: 1 },
      { task: 'coin b', passed: 1, failed: 1 },
      { task: 'rare', passed: 3, failed: 1 },
    ]);
  });
});

describe('distributions', () => {
  test('agree with NumPy and Python', () => {
    // v = [((i * i * 7919) % 10007) / 97 for i in range(1, 1001)]
    // math.fsum(v), statistics.stdev(v), numpy.quantile(v, [.5, .9, .95, .99])
    const rows = Array.from({ length: 1000 }, (_, i) => makeRow({ costUsd: ((i + 1) ** 2 * 7919 % 10007) / 97 })); // biome-ignore format: one line
    const { costUsd } = totalOf([...rows, makeRow()]).distributions;
    expect(costUsd).toEqual({
      count: 1000,
      missing: 1,
      sum: 48814.87628865979,
      mean: 48.81487628865979,
      sd: expect.closeTo(29.24453323968336, 13),
      min: expect.any(Number),
      p50: expect.closeTo(48.855670103092784, 12),
      p90: expect.closeTo(90.87525773195877, 12),
      p95: expect.closeTo(96.99690721649483, 12),
      p99: expect.closeTo(101.4781443298969, 12),
      max: expect.any(Number),
      exact: true,
    });
  });

  test('of more than 10,000 values are within half a percent, with exact sums and extremes', () => {
    // w = [((i * 7919) % 20000) ** 2 for i in range(20000)]; the same functions
    const rows = Array.from({ length: 20_000 }, (_, i) => makeRow({ metrics: { wallTimeMs: ((i * 7919) % 20_000) ** 2 } })); // biome-ignore format: one line
    const { wallTimeMs } = totalOf(rows).distributions;
    expect(wallTimeMs).toMatchObject({
      count: 20_000,
      missing: 0,
      sum: 2666466670000,
      exact: false,
      min: 0,
      max: 399960001,
    });
    expect(wallTimeMs!.sd).toBeCloseTo(119254349.84846045, 6);
    expect(Math.abs(wallTimeMs!.p50! / 99990000.5 - 1)).toBeLessThan(0.005);
    expect(Math.abs(wallTimeMs!.p90! / 323967600.9 - 1)).toBeLessThan(0.005);
    expect(Math.abs(wallTimeMs!.p99! / 392000796.99 - 1)).toBeLessThan(0.005);
    const reversed = totalOf(rows.toReversed()).distributions.wallTimeMs;
    expect(JSON.stringify(reversed)).toBe(JSON.stringify(wallTimeMs));
  });

  test('read every metric from its place', () => {
    const row = makeRow({
      metrics: {
        tokenUsage: makeUsage({
          inputTokens: 200,
          outputTokens: 2,
          totalTokens: 202,
          cacheReadTokens: 50,
          cacheWriteTokens: 5,
          callCount: 6,
        }),
        toolCallCount: 7,
        skillActivationCount: 9,
        turnCount: 10,
        wallTimeMs: 11,
        errorCount: 15,
      },
      tools: {
        bash: { calls: 5, errors: 3, unanswered: 0, latencyMs: [] },
        read: { calls: 2, errors: 5, unanswered: 0, latencyMs: [] },
      },
      time: { llmMs: 12, toolMs: 13, otherMs: 14 },
      costUsd: 16,
    });
    const { distributions } = totalOf([row]);
    expect(Object.fromEntries(Object.entries(distributions).map(([name, { sum }]) => [name, sum]))).toEqual({
      inputTokens: 200,
      outputTokens: 2,
      totalTokens: 202,
      cacheReadTokens: 50,
      cacheWriteTokens: 5,
      cacheHitRate: 0.25,
      callCount: 6,
      toolCallCount: 7,
      toolErrorCount: 8,
      skillActivationCount: 9,
      turnCount: 10,
      wallTimeMs: 11,
      llmMs: 12,
      toolMs: 13,
      otherMs: 14,
      errorCount: 15,
      costUsd: 16,
    });
  });

  test('miss the hit rate of no input, the tool errors of no trajectory, and what is no finite number', () => {
    const rows = [
      makeRow({ metrics: { tokenUsage: makeUsage() } }),
      makeRow({ costUsd: Number.POSITIVE_INFINITY }),
      makeRow({ metrics: { toolCallCount: 0 }, costUsd: 2 }),
    ];
    const { cacheHitRate, toolErrorCount, costUsd } = totalOf(rows).distributions;
    expect(cacheHitRate).toMatchObject({ count: 0, missing: 3 });
    expect(toolErrorCount).toMatchObject({ count: 1, missing: 2, sum: 0 });
    expect(costUsd).toMatchObject({ count: 1, missing: 2, sum: 2, sd: null });
  });

  test('of scores come after the metrics, by name, and miss the rows without them', () => {
    const rows = [makeRow({ scores: { reward: 1, brier: 0.25 } }), makeRow({ scores: { reward: 0 } }), makeRow()];
    const { distributions } = totalOf(rows);
    expect(Object.keys(distributions).slice(METRIC_NAMES.length)).toEqual(['scores.brier', 'scores.reward']);
    expect(distributions['scores.reward']).toMatchObject({ count: 2, missing: 1, mean: 0.5 });
    expect(distributions['scores.brier']).toMatchObject({ count: 1, missing: 2, mean: 0.25 });
  });
});

describe('names', () => {
  test('of tools: most calls first, with rates and latencies', () => {
    const rows = [
      makeRow({
        tools: {
          read: { calls: 2, errors: 0, unanswered: 1, latencyMs: [30] },
          bash: { calls: 3, errors: 1, unanswered: 0, latencyMs: [10, 20, 60] },
          edit: { calls: 2, errors: 2, unanswered: 0, latencyMs: [1, 2] },
        },
      }),
      makeRow({ tools: { bash: { calls: 1, errors: 1, unanswered: 0, latencyMs: [110] }, lost: { calls: 0, errors: 1, unanswered: 0, latencyMs: [] } } }), // biome-ignore format: one line
    ];
    const { tools } = totalOf(rows);
    expect(tools.map((tool) => tool.name)).toEqual(['bash', 'edit', 'read', 'lost']);
    expect(tools[0]).toMatchObject({ calls: 4, errors: 2, errorRate: 0.5, unanswered: 0 });
    expect(tools[0].latencyMs).toMatchObject({
      count: 4,
      missing: 0,
      sum: 200,
      mean: 50,
      p50: 40,
      max: 110,
      exact: true,
    });
    expect(tools[2]).toMatchObject({ calls: 2, errorRate: 0, unanswered: 1 });
    expect(tools[2].latencyMs).toMatchObject({ count: 1, missing: 1 });
    expect(tools[3].errorRate).toBeNull();
  });

  test('of models, skills, errors, graders and statuses are added up', () => {
    const rows = [
      makeRow({
        status: 'completed',
        metrics: {
          tokenUsage: makeUsage({ byModel: { sonnet: { inputTokens: 1, outputTokens: 2, callCount: 3 } } }),
          skillActivationBreakdown: { pdf: 2, xlsx: 1 },
        },
        errors: { timeout: 2, network: 1 },
        graders: { tests: { passed: 1, failed: 2 }, lint: { passed: 1, failed: 0 } },
        judge: { inputTokens: 100, outputTokens: 10, latencyMs: 1.5 },
      }),
      makeRow({
        status: 'completed',
        metrics: {
          tokenUsage: makeUsage({
            byModel: {
              sonnet: { inputTokens: 10, outputTokens: 20, callCount: 30 },
              haiku: { inputTokens: 5, outputTokens: 5, callCount: 5 },
            },
          }),
          skillActivationBreakdown: { pdf: 1, xlsx: 2 },
        },
        errors: { network: 3 },
        graders: { tests: { passed: 1, failed: 0 } },
        judge: { inputTokens: 1, outputTokens: 1, latencyMs: 1 },
      }),
      makeRow({ status: 'error', metrics: { skillActivationBreakdown: { xlsx: 1 } } }),
    ];
    const total = totalOf(rows);
    expect(Object.entries(total.tokensByModel)).toEqual([
      ['haiku', { inputTokens: 5, outputTokens: 5, callCount: 5 }],
      ['sonnet', { inputTokens: 11, outputTokens: 22, callCount: 33 }],
    ]);
    expect(total.skills).toEqual([
      { name: 'xlsx', activations: 4, trajectories: 3 },
      { name: 'pdf', activations: 3, trajectories: 2 },
    ]);
    expect(total.errors).toEqual([
      { type: 'network', count: 4 },
      { type: 'timeout', count: 2 },
    ]);
    expect(total.graders).toEqual([
      { name: 'tests', passed: 2, failed: 2 },
      { name: 'lint', passed: 1, failed: 0 },
    ]);
    expect(total.statuses).toEqual([
      { status: 'completed', count: 2 },
      { status: 'error', count: 1 },
    ]);
    expect(total.judge).toEqual({ inputTokens: 101, outputTokens: 11, latencyMs: 2.5 });
  });

  test('that are hostile are kept as they are', () => {
    const hostile = JSON.parse('{"__proto__": 1, "constructor": 2, "": 3}') as Record<string, number>;
    const byModel = JSON.parse('{"__proto__": {"inputTokens": 7, "outputTokens": 0, "callCount": 1}}');
    const rows = [
      makeRow({ task: '__proto__', scores: hostile, errors: hostile, metrics: { tokenUsage: makeUsage({ byModel }) } }),
    ];
    const { total, groups } = foldAll(reportFold(['task']), rows);
    expect(total.errors.map((error) => error.type)).toEqual(['', 'constructor', '__proto__']);
    expect(JSON.stringify(total.tokensByModel)).toBe('{"__proto__":{"inputTokens":7,"outputTokens":0,"callCount":1}}');
    expect(total.distributions['scores.__proto__'].sum).toBe(1);
    expect(groups[0].key).toEqual({ task: '__proto__' });
  });

  test('beyond the limit are together at the end, and the group says so', () => {
    const extra = 300;
    const rows = Array.from({ length: LIMITS.names + extra }, (_, i) =>
      makeRow({
        tools: { [`tool ${i}`]: { calls: 2, errors: 1, unanswered: 0, latencyMs: [i] } },
        errors: { same: 1 },
      }),
    );
    const total = totalOf(rows);
    expect(total.tools.length).toBe(LIMITS.names + 1);
    expect(total.tools.at(-1)).toMatchObject({ name: '(other)', calls: 2 * extra, errors: extra, errorRate: 0.5 });
    expect(total.tools.at(-1)!.latencyMs.count).toBe(extra);
    expect(total.capped).toEqual(['tools']);
  });
});

describe('tasks beyond the limit', () => {
  // 80,000 tasks of two trials that always end alike, a quarter of them passed: as good as 80,000 independent trials.
  const count = 80_000;
  const rows = Array.from({ length: 2 * count }, (_, i) =>
    makeRow({ task: `task ${i >> 1}`, outcome: (i >> 1) % 4 === 0 ? 'passed' : 'failed' }),
  );
  const total = totalOf(rows);

  test('are estimated, and the group says so', () => {
    expect(total.capped).toEqual(['tasks']);
    expect(Math.abs(total.tasks / count - 1)).toBeLessThan(0.02);
    expect(total.passAtK['2']).toBeCloseTo(0.25, 1);
  });

  test('leave the rate exact and its standard error honest', () => {
    expect(total.passRate).toMatchObject({ value: 0.25, n: 2 * count, method: 'clustered-t' });
    const truth = Math.sqrt((0.25 * 0.75) / count);
    expect(Math.abs(total.passRate!.standardError! / truth - 1)).toBeLessThan(0.1);
  });

  test('give the same bytes in another order', () => {
    expect(JSON.stringify(totalOf(rows.toReversed()))).toBe(JSON.stringify(total));
  });
});

describe('what to look at', () => {
  test('is the five slowest and the five costliest, ties by place', () => {
    const at = (path: string, line: number | null, wallTimeMs: number | null, costUsd: number | null = null) =>
      makeRow({ id: 'i', task: 't', model: 'm', source: { path, line }, metrics: { wallTimeMs }, costUsd });
    const rows = [at('b', 10, 5), at('b', 9, 5), at('a', null, 5), at('a', 3, 5), at('c', 1, 7, 2), at('c', 2, 1), at('c', 3, null), at('c', 4, 6)]; // biome-ignore format: one line
    const { slowest, costliest } = totalOf(rows);
    expect(slowest.map(({ path, line, value }) => [path, line, value])).toEqual([
      ['c', 1, 7],
      ['c', 4, 6],
      ['a', 3, 5],
      ['a', null, 5],
      ['b', 9, 5],
    ]);
    expect(costliest).toEqual([{ path: 'c', line: 1, index: null, id: 'i', task: 't', model: 'm', value: 2 }]);
  });

  test('cost per pass is all that is known to be spent, by what passed', () => {
    const rows = [
      makeRow({ outcome: 'passed', costUsd: 0.25 }),
      makeRow({ outcome: 'failed', costUsd: 0.5 }),
      makeRow({ outcome: 'passed' }),
    ];
    expect(totalOf(rows).costPerPass).toBe(0.375);
    expect(totalOf([makeRow({ outcome: 'passed' })]).costPerPass).toBeNull();
    expect(totalOf([makeRow({ outcome: 'failed', costUsd: 1 })]).costPerPass).toBeNull();
  });
});
