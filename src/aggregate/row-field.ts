import { METRIC_NAMES } from '../model/report.ts';
import type { TrajectoryRow } from '../model/row.ts';
import { metricOf } from '../stats/metric-of.ts';
import { dayOf } from './dimension.ts';

/** A value of a row that a condition can be about, and how values of its kind compare. */
export interface RowField {
  kind: 'text' | 'number' | 'time';
  read(row: TrajectoryRow): string | number | null;
}

const text = (read: RowField['read']): RowField => ({ kind: 'text', read });
const number = (read: RowField['read']): RowField => ({ kind: 'number', read });
const time = (read: RowField['read']): RowField => ({ kind: 'time', read });

const fields: ReadonlyMap<string, RowField> = new Map([
  ['model', text((row) => row.model)],
  ['task', text((row) => row.task)],
  ['variant', text((row) => row.variant)],
  ['executor', text((row) => row.executor)],
  ['format', text((row) => row.format)],
  ['outcome', text((row) => row.outcome)],
  ['status', text((row) => row.status)],
  ['id', text((row) => row.id)],
  ['path', text((row) => row.source.path)],
  ['day', text(dayOf)],
  ['trial', number((row) => row.trial)],
  ['line', number((row) => row.source.line)],
  ['startedAt', time((row) => row.startedAt)],
  ['completedAt', time((row) => row.completedAt)],
  ...METRIC_NAMES.map((name) => [name, number(metricOf[name])] as const),
]);

/** All field names; `scores.NAME` and `tools.NAME` come on top. */
export const ROW_FIELDS: readonly string[] = [...fields.keys()];

/** The field of that name, or null. `scores.NAME` is a score, `tools.NAME` the number of calls of a tool. */
export function rowField(name: string): RowField | null {
  const known = fields.get(name);
  if (known !== undefined) return known;
  const [, family, member] = /^(scores|tools)\.(.+)$/s.exec(name) ?? [];
  if (family === 'scores') return number((row) => ownValue(row.scores, member!) ?? null);
  return family === 'tools' ? number((row) => callsOf(row, member!)) : null;
}

/** A tool that was not used has 0 calls, unless there was no trajectory in which it could have been. */
function callsOf(row: TrajectoryRow, tool: string): number | null {
  return ownValue(row.tools, tool)?.calls ?? (row.metrics.toolCallCount === null ? null : 0);
}

function ownValue<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
