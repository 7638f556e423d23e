import type { Distribution, Group, Report, RowRef, ToolSummary } from '../../src/model/report.ts';
import { METRIC_NAMES } from '../../src/model/report.ts';

/** A nightly run as a team would see it: 40 tasks, 3 models, 2 trials each, with everything that goes wrong. */

const NOTHING: Distribution = {
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
};

/** count, missing, then mean, sd, min, p50, p90, p95, p99, max */
export function distribution(count: number, missing: number, ...values: number[]): Distribution {
  const [mean, sd, min, p50, p90, p95, p99, max] = values as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const sum = Number((mean * count).toPrecision(12));
  return { count, missing, sum, mean, sd: count < 2 ? null : sd, min, p50, p90, p95, p99, max, exact: true };
}

export function noDistributions(missing: number): Record<string, Distribution> {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, { ...NOTHING, missing }]));
}

export function emptyGroup(trajectories = 0): Group {
  return {
    key: {},
    trajectories,
    tasks: 0,
    outcomes: { passed: 0, failed: 0, error: 0, timeout: 0, skipped: 0, ungraded: trajectories },
    passRate: null,
    strictPassRate: null,
    passAtK: {},
    passHatK: {},
    distributions: noDistributions(trajectories),
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
  };
}

export function emptyReport(): Report {
  return {
    type: 'report',
    schema: 1,
    version: '0.1.0',
    input: {
      files: 0,
      bytes: 0,
      lines: 0,
      good: 0,
      bad: 0,
      blank: 0,
      trajectories: 0,
      skipped: {},
      duplicates: 0,
      truncatedTails: 0,
      problems: [],
    },
    by: [],
    total: emptyGroup(),
    groups: [],
  };
}

/** Read, but nothing is graded, timed or priced: the poorest log that still has trajectories. */
export function bareReport(): Report {
  const report = emptyReport();
  report.input = { ...report.input, files: 1, bytes: 412, lines: 3, good: 3, trajectories: 3 };
  report.total = emptyGroup(3);
  return report;
}

function tool(
  name: string,
  calls: number,
  errors: number,
  unanswered: number,
  ...latency: [number, number, number, number, number, number, number, number]
): ToolSummary {
  return {
    name,
    calls,
    errors,
    errorRate: calls === 0 ? null : errors / calls,
    unanswered,
    latencyMs: distribution(calls - unanswered, unanswered, ...latency),
  };
}

function ref(path: string, line: number, task: string, model: string, value: number): RowRef {
  return { path, line, index: null, id: `${task}-${line}`, task, model, value };
}

const OPUS = 'claude-opus-4-5';
const SONNET = 'claude-sonnet-4-5';
const GPT = 'gpt-5.1-codex';

const total: Group = {
  key: {},
  trajectories: 240,
  tasks: 40,
  outcomes: { passed: 151, failed: 72, error: 9, timeout: 5, skipped: 3, ungraded: 0 },
  passRate: {
    value: 151 / 223,
    n: 223,
    low: 0.5894,
    high: 0.7649,
    standardError: 0.04337,
    clusters: 40,
    method: 'clustered-t',
  },
  strictPassRate: {
    value: 151 / 237,
    n: 237,
    low: 0.5487,
    high: 0.7256,
    standardError: 0.04372,
    clusters: 40,
    method: 'clustered-t',
  },
  passAtK: { '1': 0.6771, '2': 0.7518, '3': 0.7894, '4': 0.8127, '5': 0.8291 },
  passHatK: { '1': 0.6771, '2': 0.6024, '3': 0.5573, '4': 0.5236, '5': 0.4967 },
  distributions: {
    ...noDistributions(240),
    inputTokens: distribution(237, 3, 186_420, 142_310, 4_120, 151_900, 371_200, 462_800, 688_100, 912_440),
    outputTokens: distribution(237, 3, 7_318, 5_226, 212, 6_104, 14_220, 17_930, 24_890, 31_702),
    totalTokens: distribution(237, 3, 193_738, 146_900, 4_332, 158_200, 384_900, 478_300, 709_800, 944_142),
    cacheReadTokens: distribution(237, 3, 151_004, 128_700, 0, 118_400, 318_000, 402_100, 611_300, 840_012),
    cacheWriteTokens: distribution(237, 3, 21_840, 12_050, 0, 19_870, 37_400, 44_100, 58_900, 71_338),
    cacheHitRate: distribution(237, 3, 0.7614, 0.1422, 0, 0.7981, 0.8934, 0.9102, 0.9377, 0.9541),
    callCount: distribution(237, 3, 18.42, 11.3, 2, 16, 33, 41, 58, 72),
    toolCallCount: distribution(237, 3, 21.07, 14.81, 0, 18, 40, 51, 74, 96),
    toolErrorCount: distribution(237, 3, 1.63, 2.31, 0, 1, 4, 6, 11, 17),
    skillActivationCount: distribution(237, 3, 0.54, 0.81, 0, 0, 2, 2, 3, 4),
    turnCount: distribution(237, 3, 17.9, 11.02, 2, 15, 32, 40, 56, 71),
    wallTimeMs: distribution(237, 3, 214_300, 188_900, 8_410, 172_800, 431_000, 566_200, 1_021_000, 1_800_312),
    llmMs: distribution(237, 3, 133_100, 101_400, 6_120, 110_900, 262_700, 331_000, 540_300, 812_077),
    toolMs: distribution(237, 3, 68_220, 92_010, 0, 41_330, 149_800, 233_100, 498_700, 1_204_551),
    otherMs: distribution(237, 3, 12_980, 20_440, 310, 6_920, 28_100, 44_800, 101_900, 188_020),
    errorCount: distribution(237, 3, 0.22, 0.66, 0, 0, 1, 1, 3, 5),
    costUsd: distribution(158, 82, 0.4127, 0.3604, 0.0091, 0.3312, 0.8421, 1.0914, 1.7022, 2.3381),
    'scores.score': distribution(223, 17, 0.7216, 0.3318, 0, 0.8571, 1, 1, 1, 1),
  },
  tokensByModel: {
    [OPUS]: { inputTokens: 18_204_118, outputTokens: 702_411, callCount: 1_718 },
    [SONNET]: { inputTokens: 14_920_330, outputTokens: 611_204, callCount: 1_544 },
    [GPT]: { inputTokens: 11_057_092, outputTokens: 420_751, callCount: 1_103 },
  },
  tools: [
    tool('bash', 2_108, 214, 6, 3_912, 11_840, 11, 840, 8_120, 14_900, 61_300, 600_000),
    tool('edit_file', 1_240, 61, 0, 88, 140, 4, 52, 171, 260, 702, 1_804),
    tool('read_file', 988, 12, 0, 31, 44, 2, 18, 66, 91, 204, 611),
    tool('grep', 402, 3, 0, 142, 230, 6, 77, 310, 498, 1_120, 2_214),
    tool('run_tests', 188, 92, 4, 24_200, 31_040, 911, 14_800, 58_100, 83_300, 170_400, 302_118),
    tool('web_search', 51, 4, 1, 2_210, 1_870, 402, 1_690, 4_410, 5_820, 8_310, 8_402),
    tool('mcp__github__create_pull_request', 14, 2, 0, 1_120, 610, 480, 990, 1_920, 2_210, 2_601, 2_688),
    { name: 'todo_write', calls: 2, errors: 0, errorRate: 0, unanswered: 2, latencyMs: { ...NOTHING, missing: 2 } },
  ],
  skills: [
    { name: 'pytest-debugging', activations: 71, trajectories: 58 },
    { name: 'git-bisect', activations: 40, trajectories: 37 },
    { name: '日本語レビュー', activations: 16, trajectories: 16 },
  ],
  errors: [
    { type: 'rate_limit_error', count: 31 },
    { type: 'context_length_exceeded', count: 12 },
    { type: 'tool_timeout', count: 9 },
  ],
  graders: [
    { name: 'unit-tests', passed: 163, failed: 60 },
    { name: 'no-secrets-in-diff', passed: 221, failed: 2 },
    { name: 'llm-rubric', passed: 174, failed: 49 },
  ],
  statuses: [
    { status: 'success', count: 223 },
    { status: 'error', count: 14 },
    { status: 'skipped', count: 3 },
  ],
  judge: { inputTokens: 1_820_440, outputTokens: 96_310, latencyMs: 1_204_000 },
  flaky: [
    { task: 'django-queryset-union', passed: 3, failed: 3 },
    { task: 'flask-session-cookie', passed: 4, failed: 2 },
    { task: 'sympy-integrate-piecewise', passed: 2, failed: 4 },
    { task: 'requests-retry-after', passed: 5, failed: 1 },
    { task: '修复登录重定向', passed: 1, failed: 5 },
  ],
  costPerPass: 0.6214,
  slowest: [
    ref('results/2026-11-17/opus/part-03.jsonl', 118, 'sympy-integrate-piecewise', OPUS, 1_800_312),
    ref('results/2026-11-17/gpt/part-01.jsonl', 44, 'pandas-merge-asof', GPT, 1_204_880),
    ref('results/2026-11-17/sonnet/part-02.jsonl', 9, 'django-queryset-union', SONNET, 1_021_400),
    ref('results/2026-11-17/opus/part-01.jsonl', 71, '修复登录重定向', OPUS, 988_020),
    { path: 'results/legacy/trials.json', line: null, index: 12, id: null, task: null, model: null, value: 940_112 },
  ],
  costliest: [
    ref('results/2026-11-17/opus/part-03.jsonl', 118, 'sympy-integrate-piecewise', OPUS, 2.3381),
    ref('results/2026-11-17/opus/part-02.jsonl', 18, 'astropy-wcs-roundtrip', OPUS, 1.9114),
    ref('results/2026-11-17/opus/part-01.jsonl', 71, '修复登录重定向', OPUS, 1.7022),
  ],
};

function modelGroup(
  model: string,
  [passed, failed, error, timeout, skipped]: [number, number, number, number, number],
  [low, high, standardError]: [number, number, number],
  overrides: Partial<Group>,
): Group {
  const graded = passed + failed;
  const strict = graded + error + timeout;
  const rate = { standardError, clusters: 40, method: 'clustered-t' };
  return {
    ...emptyGroup(80),
    key: { model },
    tasks: 40,
    outcomes: { passed, failed, error, timeout, skipped, ungraded: 0 },
    passRate: { value: passed / graded, n: graded, low, high, ...rate },
    strictPassRate: { value: passed / strict, n: strict, low: low - 0.04, high: high - 0.03, ...rate },
    ...overrides,
  };
}

const groups: Group[] = [
  modelGroup(OPUS, [60, 16, 2, 2, 0], [0.6912, 0.8877, 0.0486], {
    passAtK: { '1': 0.7895, '2': 0.8512 },
    passHatK: { '1': 0.7895, '2': 0.7278 },
    distributions: {
      ...noDistributions(80),
      totalTokens: distribution(80, 0, 236_332, 158_200, 5_220, 201_400, 441_000, 530_100, 801_000, 944_142),
      wallTimeMs: distribution(80, 0, 241_800, 220_100, 11_200, 190_400, 498_000, 688_000, 1_400_000, 1_800_312),
      toolCallCount: distribution(80, 0, 23.4, 15.2, 2, 20, 44, 53, 80, 96),
      costUsd: distribution(79, 1, 0.5721, 0.4018, 0.0302, 0.4812, 1.104, 1.38, 2.1, 2.3381),
    },
    costPerPass: 0.7533,
  }),
  modelGroup(SONNET, [52, 22, 4, 1, 1], [0.5844, 0.8211, 0.0585], {
    passAtK: { '1': 0.7027, '2': 0.7811 },
    passHatK: { '1': 0.7027, '2': 0.6243 },
    distributions: {
      ...noDistributions(80),
      totalTokens: distribution(79, 1, 196_600, 131_100, 4_332, 161_900, 372_000, 441_000, 602_000, 701_000),
      wallTimeMs: distribution(79, 1, 198_200, 160_400, 8_410, 160_100, 390_000, 480_000, 900_000, 1_021_400),
      toolCallCount: distribution(79, 1, 20.9, 13.7, 0, 18, 38, 49, 66, 71),
      costUsd: distribution(79, 1, 0.2533, 0.2011, 0.0091, 0.2044, 0.501, 0.622, 0.94, 1.12),
    },
    costPerPass: 0.3848,
  }),
  modelGroup(GPT, [39, 34, 3, 2, 2], [0.4101, 0.6584, 0.0614], {
    passAtK: { '1': 0.5342, '2': 0.6219 },
    passHatK: { '1': 0.5342, '2': 0.4466 },
    distributions: {
      ...noDistributions(80),
      totalTokens: distribution(78, 2, 147_152, 120_300, 4_801, 118_300, 301_000, 377_000, 540_000, 610_000),
      wallTimeMs: distribution(78, 2, 202_400, 181_900, 9_110, 166_600, 402_000, 511_000, 1_001_000, 1_204_880),
      toolCallCount: distribution(78, 2, 18.9, 15.1, 0, 16, 37, 47, 71, 83),
    },
  }),
];

/** The nightly run by model. */
export function nightlyReport(): Report {
  return structuredClone({
    type: 'report',
    schema: 1,
    version: '0.1.0',
    input: {
      files: 9,
      bytes: 38_214_902,
      lines: 263,
      good: 258,
      bad: 3,
      blank: 2,
      trajectories: 240,
      skipped: { 'run-summary': 9, 'suite-start': 9 },
      duplicates: 2,
      truncatedTails: 1,
      problems: [
        {
          path: 'results/2026-11-17/gpt/part-01.jsonl',
          line: 45,
          message: 'expected a JSON value, got the end of the line',
        },
        { path: 'results/2026-11-17/gpt/part-01.jsonl', line: 46, message: 'expected an object, got an array' },
        { path: 'results/2026-11-17/sonnet/part-02.jsonl', line: 12, message: 'negative token count -4' },
      ],
    },
    by: ['model'],
    total,
    groups,
  } satisfies Report);
}

/** The same night by task and model, for the matrix: every task tried twice by every model. */
export function matrixReport(): Report {
  const report = nightlyReport();
  report.by = ['task', 'model'];
  report.groups = [];
  const tasks = ['astropy-wcs-roundtrip', 'django-queryset-union', 'flask-session-cookie', 'pandas-merge-asof'];
  tasks.push('pytest-capture-fixture', 'requests-retry-after', 'sympy-integrate-piecewise', '修复登录重定向');
  tasks.forEach((task, row) => {
    [OPUS, SONNET, GPT].forEach((model, column) => {
      const trials = 4;
      const passed = Math.max(0, Math.min(trials, 5 - ((row * 3 + column * 2) % 7)));
      // One cell ends in errors alone and one is missing: both occur in real runs.
      if (row === 3 && column === 2) return;
      const broken = row === 6 && column === 1;
      const value = passed / trials;
      const rate = {
        value,
        n: trials,
        low: Math.max(0, value - 0.4),
        high: Math.min(1, value + 0.4),
        standardError: Math.sqrt((value * (1 - value)) / trials),
        clusters: 1,
        method: 'wilson',
      };
      report.groups.push({
        ...emptyGroup(trials),
        key: { task, model },
        tasks: 1,
        outcomes: broken
          ? { passed: 0, failed: 0, error: 4, timeout: 0, skipped: 0, ungraded: 0 }
          : { passed, failed: trials - passed, error: 0, timeout: 0, skipped: 0, ungraded: 0 },
        passRate: broken ? null : rate,
        strictPassRate: broken ? { ...rate, value: 0, low: 0, high: 0.49 } : rate,
        flaky: broken || passed === 0 || passed === trials ? [] : [{ task, passed, failed: trials - passed }],
      });
    });
  });
  return report;
}

/** Every name of the report, replaced: what a hostile log can put into one. */
export function reportWithNames(name: (index: number) => string, base: Report = nightlyReport()): Report {
  const report = structuredClone(base);
  let index = 0;
  const next = () => name(index++);
  const refs = (rows: RowRef[]) =>
    rows.map((row) => ({ ...row, path: next(), id: next(), task: next(), model: next() }));
  const rename = (group: Group): Group => ({
    ...group,
    key: Object.fromEntries(Object.keys(group.key).map((field) => [field, next()])),
    distributions: { ...group.distributions, [`scores.${next()}`]: distribution(3, 0, 1, 1, 1, 1, 1, 1, 1, 1) },
    tokensByModel: Object.fromEntries(Object.values(group.tokensByModel).map((usage) => [next(), usage])),
    tools: group.tools.map((summary) => ({ ...summary, name: next() })),
    skills: group.skills.map((skill) => ({ ...skill, name: next() })),
    errors: group.errors.map((error) => ({ ...error, type: next() })),
    graders: group.graders.map((grader) => ({ ...grader, name: next() })),
    statuses: group.statuses.map((status) => ({ ...status, status: next() })),
    flaky: group.flaky.map((task) => ({ ...task, task: next() })),
    slowest: refs(group.slowest),
    costliest: refs(group.costliest),
  });
  report.total = rename(report.total);
  report.groups = report.groups.map(rename);
  report.input.skipped = { [next()]: 2, [next()]: 1 };
  report.input.problems = report.input.problems.map(() => ({ path: next(), line: 3, message: next() }));
  return report;
}
