import type { TrajectoryRow } from '../model/row.ts';
import { metricOf } from '../stats/metric-of.ts';
import { csvLine } from './csv.ts';
import { inertJson } from './escape.ts';

/** `trajstats metrics --format csv`: one line per trajectory, one column per scalar, and JSON text for the maps. */

type Cell = string | number | boolean | null;

const COLUMNS: Record<string, (row: TrajectoryRow) => Cell> = {
  format: ({ format }) => format,
  path: ({ source }) => source.path,
  line: ({ source }) => source.line,
  index: ({ source }) => source.index,
  id: ({ id }) => id,
  task: ({ task }) => task,
  trial: ({ trial }) => trial,
  model: ({ model }) => model,
  variant: ({ variant }) => variant,
  executor: ({ executor }) => executor,
  status: ({ status }) => status,
  outcome: ({ outcome }) => outcome,
  startedAt: ({ startedAt }) => startedAt,
  completedAt: ({ completedAt }) => completedAt,
  ...metricOf,
  systemMessages: ({ messages }) => messages.system,
  userMessages: ({ messages }) => messages.user,
  assistantMessages: ({ messages }) => messages.assistant,
  toolMessages: ({ messages }) => messages.tool,
  patchBytes: ({ patch }) => patch?.bytes ?? null,
  patchFiles: ({ patch }) => patch?.files ?? null,
  patchAdded: ({ patch }) => patch?.added ?? null,
  patchRemoved: ({ patch }) => patch?.removed ?? null,
  judgeInputTokens: ({ judge }) => judge?.inputTokens ?? null,
  judgeOutputTokens: ({ judge }) => judge?.outputTokens ?? null,
  judgeLatencyMs: ({ judge }) => judge?.latencyMs ?? null,
  scores: ({ scores }) => inertJson(scores),
  tools: ({ tools }) => inertJson(tools),
  skills: ({ metrics }) => inertJson(metrics.skillActivationBreakdown),
  errors: ({ errors }) => inertJson(errors),
  graders: ({ graders }) => inertJson(graders),
  tokensByModel: ({ metrics }) => inertJson(metrics.tokenUsage?.byModel ?? {}),
  recorded: ({ recorded }) => inertJson(recorded),
};

export function rowsCsvHeader(): string {
  return csvLine(Object.keys(COLUMNS));
}

export function rowToCsv(row: TrajectoryRow): string {
  return csvLine(Object.values(COLUMNS).map((column) => column(row)));
}
