import type { TrajectoryMetrics } from './metrics.ts';

export type FormatName = 'vally' | 'trials' | 'sdk' | 'forecast';

export const OUTCOMES = ['passed', 'failed', 'error', 'timeout', 'skipped', 'ungraded'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One trajectory, folded: what `trajstats metrics` prints, and all that a report needs to know of it. */
export interface TrajectoryRow {
  type: 'trajectory-metrics';
  schema: 1;
  format: FormatName;
  source: Source;
  id: string | null;
  task: string | null;
  trial: number | null;
  model: string | null;
  variant: string | null;
  executor: string | null;
  /** The log's own word. */
  status: string | null;
  outcome: Outcome;
  scores: Record<string, number>;
  startedAt: string | null;
  completedAt: string | null;
  metrics: TrajectoryMetrics;
  costUsd: number | null;
  tools: Record<string, ToolUse>;
  /** Error events by type. */
  errors: Record<string, number>;
  graders: Record<string, Grades>;
  /** What the graders themselves spent; never part of the agent's tokens. */
  judge: JudgeSpend | null;
  time: TimeSplit;
  messages: MessageCounts;
  patch: PatchStatistics | null;
  /** What the log itself says, by metric name. */
  recorded: Record<string, number | null>;
  /** How many texts of its record were longer than --max-value-bytes, and cut; absent where none was. */
  cutTexts?: number;
}

export interface Source {
  /** "-" is standard input. */
  path: string;
  /** 1-based, as an editor shows it; null where the record is not a line. */
  line: number | null;
  /** 0-based position in the outer array; null where there is none. */
  index: number | null;
}

export interface ToolUse {
  calls: number;
  errors: number;
  unanswered: number;
  latencyMs: number[];
}

export interface Grades {
  passed: number;
  failed: number;
}

export interface JudgeSpend {
  inputTokens: number;
  outputTokens: number;
  latencyMs: number;
}

export interface TimeSplit {
  llmMs: number | null;
  toolMs: number | null;
  otherMs: number | null;
}

export interface MessageCounts {
  system: number;
  user: number;
  assistant: number;
  tool: number;
}

export interface PatchStatistics {
  bytes: number;
  files: number;
  added: number;
  removed: number;
}
