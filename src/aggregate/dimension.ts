import { shortName } from '../fold/names.ts';
import type { ReportRow } from '../model/report-row.ts';
import { isoTime } from '../stats/epoch-ms.ts';

/** What a report can be grouped by. */
export const DIMENSIONS = ['model', 'task', 'variant', 'executor', 'format', 'outcome', 'day', 'path'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** No path that an operating system accepts is cut. */
const LONGEST_PATH = 4096;

export function dimensionOf(row: ReportRow, dimension: Dimension): string | null {
  if (dimension === 'day') return dayOf(row);
  if (dimension === 'path') return shortName(row.source.path, LONGEST_PATH);
  const value = row[dimension];
  return value === null ? null : shortName(value);
}

/** The UTC date on which the trajectory started. */
export function dayOf({ startedAt }: Pick<ReportRow, 'startedAt'>): string | null {
  if (typeof startedAt !== 'string') return isoTime(startedAt)?.slice(0, 10) ?? null;
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(startedAt)) return startedAt.slice(0, 10);
  const time = Date.parse(startedAt);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}
