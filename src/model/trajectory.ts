import type { EventDigest } from './digest.ts';
import type { TrajectoryEvent } from './event.ts';
import type { Named } from './named.ts';
import type { FormatName, Grades, JudgeSpend, Outcome, PatchStatistics, TrajectoryRow } from './row.ts';

/** What a format knows of a trajectory besides its events. */
export interface TrajectoryHead {
  format: FormatName;
  id: string | null;
  task: string | null;
  trial: number | null;
  model: string | null;
  variant: string | null;
  executor: string | null;
  status: string | null;
  outcome: Outcome;
  scores: Record<string, number>;
  /** False where the log has a record of the trial and nothing of what happened in it. */
  hasTrajectory: boolean;
  /** The log's own times; undefined where the times of the events are all there is. */
  startedAt?: number | null;
  completedAt?: number | null;
  wallTimeMs?: number | null;
  /** Turns by the format's own rule; undefined where `turn_end` events are counted. */
  turnCount?: number;
  /** The time in the model as the log measured it; undefined where turns are timed. */
  llmMs?: number;
  /** The log itself says that the model was never called, so its token counts are zero and not missing. */
  noModelCalls?: boolean;
  costUsd: number | null;
  graders: Named<Grades>;
  judge: JudgeSpend | null;
  patch: PatchStatistics | null;
  /** Asked for only where a row is printed. */
  recorded(): Record<string, number | null>;
}

/** Between formats and metrics: where a reader puts the events of a trajectory, and then its end. */
export interface TrajectorySink {
  event(event: TrajectoryEvent): void;
  /** What several events come to, instead of them; only where no more than the metrics is wanted. */
  digest(digest: EventDigest): void;
  /** `index`: where one record holds several trajectories, which one this is. */
  end(head: TrajectoryHead, index?: number): void;
  /** The events are in another file, whose path is relative to this one. */
  endElsewhere(head: TrajectoryHead, path: string): void;
  /** A trajectory that was folded before. */
  row(row: TrajectoryRow): void;
  /** The events so far belong to nothing. */
  abandon(): void;
  /** A record that is not a trajectory. */
  skip(type: string): void;
  /** A record that is JSON but not of this format. */
  refuse(message: string): void;
  /** Something odd in a record that is used all the same. */
  warn(message: string): void;
}
