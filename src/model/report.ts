import type { ModelUsage } from './metrics.ts';
import type { Problem } from './problem.ts';
import type { JudgeSpend, Outcome } from './row.ts';

/** What `trajstats report --format json` prints, and what every renderer draws. */
export interface Report {
  type: 'report';
  schema: 1;
  version: string;
  input: InputAccount;
  by: string[];
  total: Group;
  /** Sorted by key. */
  groups: Group[];
}

/** Every line of the input is accounted for: lines = good + bad + blank. */
export interface InputAccount {
  files: number;
  bytes: number;
  lines: number;
  good: number;
  bad: number;
  blank: number;
  trajectories: number;
  /** Records that are not trajectories, by their type. */
  skipped: Record<string, number>;
  duplicates: number;
  truncatedTails: number;
  /** The first ten. */
  problems: Problem[];
}

export const METRIC_NAMES = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheHitRate',
  'callCount',
  'toolCallCount',
  'toolErrorCount',
  'skillActivationCount',
  'turnCount',
  'wallTimeMs',
  'llmMs',
  'toolMs',
  'otherMs',
  'errorCount',
  'costUsd',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

export interface Group {
  key: Record<string, string | null>;
  trajectories: number;
  tasks: number;
  outcomes: Record<Outcome, number>;
  /** passed / (passed + failed) */
  passRate: Rate | null;
  /** passed / (passed + failed + error + timeout) */
  strictPassRate: Rate | null;
  passAtK: Record<string, number>;
  passHatK: Record<string, number>;
  /** Every MetricName, and `scores.NAME` for each score seen. */
  distributions: Record<string, Distribution>;
  tokensByModel: Record<string, ModelUsage>;
  /** Most calls first. */
  tools: ToolSummary[];
  skills: SkillSummary[];
  errors: { type: string; count: number }[];
  graders: { name: string; passed: number; failed: number }[];
  statuses: { status: string; count: number }[];
  judge: JudgeSpend | null;
  /** Tasks with both passed and failed trials, the flakiest first. */
  flaky: FlakyTask[];
  costPerPass: number | null;
  /** Top five each. */
  slowest: RowRef[];
  costliest: RowRef[];
  /** Which parts had more different names than are kept; the rest of them is in `(other)`, and totals stay exact. */
  capped?: string[];
}

export interface Rate {
  value: number;
  n: number;
  low: number;
  high: number;
  standardError: number | null;
  clusters: number;
  method: string;
}

/** A distribution of nothing has count 0, and null for all but the two counts. */
export interface Distribution {
  count: number;
  missing: number;
  sum: number | null;
  mean: number | null;
  /** Sample standard deviation; null for fewer than two values. */
  sd: number | null;
  min: number | null;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  exact: boolean;
}

export interface ToolSummary {
  name: string;
  calls: number;
  errors: number;
  /** errors / calls; null for a tool that only ever appears in results. */
  errorRate: number | null;
  unanswered: number;
  latencyMs: Distribution;
}

export interface SkillSummary {
  name: string;
  activations: number;
  trajectories: number;
}

export interface FlakyTask {
  task: string;
  passed: number;
  failed: number;
}

/** A trajectory worth looking at, and where to find it. */
export interface RowRef {
  path: string;
  line: number | null;
  index: number | null;
  id: string | null;
  task: string | null;
  model: string | null;
  value: number;
}
