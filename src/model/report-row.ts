import type { ModelUsage, TokenUsage, TrajectoryMetrics } from './metrics.ts';
import type { Named } from './named.ts';
import type { Grades, ToolUse, TrajectoryRow } from './row.ts';

type Kept =
  | 'format'
  | 'source'
  | 'id'
  | 'task'
  | 'trial'
  | 'model'
  | 'variant'
  | 'executor'
  | 'status'
  | 'outcome'
  | 'costUsd'
  | 'judge'
  | 'time';

/**
 * What a report needs to know of a trajectory. Every row tells it; but to make a report of a log, nothing has to be
 * written out as in a row, which is most of the work.
 */
export interface ReportRow extends Pick<TrajectoryRow, Kept> {
  scores: Named<number>;
  /** ISO 8601, or milliseconds since 1970. */
  startedAt: string | number | null;
  metrics: ReportMetrics;
  tools: Named<ToolUse>;
  errors: Named<number>;
  graders: Named<Grades>;
}

export interface ReportMetrics
  extends Omit<TrajectoryMetrics, 'tokenUsage' | 'toolCallBreakdown' | 'skillActivationBreakdown'> {
  tokenUsage: NamedUsage | null;
  skillActivationBreakdown: Named<number>;
}

export interface NamedUsage extends Omit<TokenUsage, 'byModel'> {
  byModel: Named<ModelUsage>;
}
