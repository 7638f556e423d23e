import type { MetricName } from '../model/report.ts';
import type { ReportRow } from '../model/report-row.ts';
import type { ToolUse } from '../model/row.ts';

type ReadMetric = (row: ReportRow) => number | null;

/** How to read each metric off a row; null where the log does not carry it. */
export const metricOf: Record<MetricName, ReadMetric> = {
  inputTokens: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.inputTokens),
  outputTokens: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.outputTokens),
  totalTokens: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.totalTokens),
  cacheReadTokens: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.cacheReadTokens),
  cacheWriteTokens: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.cacheWriteTokens),
  cacheHitRate,
  callCount: ({ metrics: { tokenUsage } }) => (tokenUsage === null ? null : tokenUsage.callCount),
  toolCallCount: (row) => row.metrics.toolCallCount,
  toolErrorCount,
  skillActivationCount: (row) => row.metrics.skillActivationCount,
  turnCount: (row) => row.metrics.turnCount,
  wallTimeMs: (row) => row.metrics.wallTimeMs,
  llmMs: (row) => row.time.llmMs,
  toolMs: (row) => row.time.toolMs,
  otherMs: (row) => row.time.otherMs,
  errorCount: (row) => row.metrics.errorCount,
  costUsd: (row) => row.costUsd,
};

/** The part of the input that came from the cache; cache reads are part of the input. */
function cacheHitRate({ metrics: { tokenUsage } }: ReportRow): number | null {
  return tokenUsage !== null && tokenUsage.inputTokens > 0 ? tokenUsage.cacheReadTokens / tokenUsage.inputTokens : null;
}

function toolErrorCount({ metrics, tools }: ReportRow): number | null {
  if (metrics.toolCallCount === null) return null;
  let errors = 0;
  if (tools instanceof Map)
    tools.forEach((use: ToolUse) => {
      errors += use.errors;
    });
  else for (const use of Object.values(tools as Record<string, ToolUse>)) errors += use.errors;
  return errors;
}
