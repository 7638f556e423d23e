import type { ReportMetrics, ReportRow } from '../model/report-row.ts';
import type { Source, TimeSplit, TrajectoryRow } from '../model/row.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { isoTime } from '../stats/epoch-ms.ts';
import { objectOf } from '../stats/object-of.ts';
import { overlapLength, totalLength } from './intervals.ts';
import { totalCount } from './names.ts';
import { NO_TOKENS } from './tokens.ts';
import type { TrajectoryResult } from './trajectory.ts';

interface TimedRow extends ReportRow {
  startedAt: number | null;
  completedAt: number | null;
}

/** What a report needs to know: what the format tells, and what was folded over the events. */
export function reportRow(head: TrajectoryHead, folded: TrajectoryResult, source: Source): TimedRow {
  const { first, last } = folded.extent;
  const wallTimeMs = head.hasTrajectory ? wallTime(head.wallTimeMs, first, last) : null;
  return {
    format: head.format,
    source,
    id: head.id,
    task: head.task,
    trial: head.trial,
    model: head.model,
    variant: head.variant,
    executor: head.executor,
    status: head.status,
    outcome: head.outcome,
    scores: head.scores,
    startedAt: head.startedAt === undefined ? first : head.startedAt,
    completedAt: head.completedAt === undefined ? last : head.completedAt,
    metrics: head.hasTrajectory ? metricsOf(head, folded, wallTimeMs) : NO_TRAJECTORY,
    costUsd: head.costUsd,
    tools: folded.tools.tools,
    errors: folded.errors,
    graders: head.graders,
    judge: head.judge,
    time: timeSplit(head, folded, wallTimeMs),
  };
}

/** The row of a trajectory, as it is printed. */
export function trajectoryRow(head: TrajectoryHead, folded: TrajectoryResult, source: Source): TrajectoryRow {
  const known = reportRow(head, folded, source);
  const { metrics } = known;
  return {
    type: 'trajectory-metrics',
    schema: 1,
    // The fields keep this order, also those that are written out below.
    ...known,
    scores: head.scores,
    startedAt: isoTime(known.startedAt),
    completedAt: isoTime(known.completedAt),
    metrics: {
      tokenUsage: metrics.tokenUsage && { ...metrics.tokenUsage, byModel: objectOf(metrics.tokenUsage.byModel) },
      toolCallCount: metrics.toolCallCount,
      toolCallBreakdown: head.hasTrajectory ? callBreakdown(folded) : {},
      skillActivationCount: metrics.skillActivationCount,
      skillActivationBreakdown: objectOf(metrics.skillActivationBreakdown),
      turnCount: metrics.turnCount,
      wallTimeMs: metrics.wallTimeMs,
      errorCount: metrics.errorCount,
    },
    tools: objectOf(known.tools),
    errors: objectOf(known.errors),
    graders: objectOf(known.graders),
    messages: folded.messages,
    patch: head.patch,
    recorded: head.recorded(),
  };
}

const NO_TRAJECTORY: ReportMetrics = {
  tokenUsage: null,
  toolCallCount: null,
  skillActivationCount: null,
  skillActivationBreakdown: new Map(),
  turnCount: null,
  wallTimeMs: null,
  errorCount: null,
};

function metricsOf(head: TrajectoryHead, folded: TrajectoryResult, wallTimeMs: number | null): ReportMetrics {
  return {
    tokenUsage: folded.tokens.usage ?? (head.noModelCalls ? NO_TOKENS : null),
    toolCallCount: folded.tools.calls,
    skillActivationCount: totalCount(folded.skills),
    skillActivationBreakdown: folded.skills,
    turnCount: head.turnCount ?? folded.turns.count,
    wallTimeMs,
    errorCount: totalCount(folded.errors),
  };
}

function callBreakdown({ tools }: TrajectoryResult): Record<string, number> {
  const calls = new Map<string, number>();
  for (const [name, tool] of tools.tools) if (tool.calls > 0) calls.set(name, tool.calls);
  return objectOf(calls);
}

function wallTime(declared: number | null | undefined, first: number | null, last: number | null): number | null {
  if (declared !== undefined) return declared;
  return first === null || last === null ? null : last - first;
}

/** Where the wall time went. A part that the log does not let us see is null, and then belongs to the rest. */
function timeSplit(head: TrajectoryHead, folded: TrajectoryResult, wallTimeMs: number | null): TimeSplit {
  const { calls, timed, busy } = folded.tools;
  const { active } = folded.turns;
  // Without calls no time went into tools, if there are clocks at all; calls without times say nothing.
  const toolMs = timed > 0 || (calls === 0 && folded.extent.first !== null) ? totalLength(busy) : null;
  const llmMs = folded.turns.timed > 0 ? totalLength(active) - overlapLength(active, busy) : (head.llmMs ?? null);
  const seen = toolMs !== null || llmMs !== null;
  const otherMs = wallTimeMs === null || !seen ? null : Math.max(0, wallTimeMs - (toolMs ?? 0) - (llmMs ?? 0));
  return { llmMs, toolMs, otherMs };
}
