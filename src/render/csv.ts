import type { Distribution, Group, Rate, Report } from '../model/report.ts';
import { OUTCOMES } from '../model/row.ts';
import { csvCell } from './escape.ts';
import { distributionEntries } from './view.ts';

type Cell = string | number | boolean | null;

/** The line break of RFC 4180. */
const BREAK = '\r\n';

const FIGURES = ['count', 'missing', 'sum', 'mean', 'sd', 'min', 'p50', 'p90', 'p95', 'p99', 'max', 'exact'] as const;
const INTERVAL = ['standardError', 'low', 'high'] as const;

/**
 * Tidy: one row per group and metric, the total first (its `scope` says so, and its key cells are empty).
 * An outcome is the share of trajectories that ended so (count of trajectories, sum with the outcome, mean), and a
 * rate likewise with its interval: so the same columns mean the same in every row.
 */
export function renderCsv(report: Report): string {
  const keys = (group: Group) => report.by.map((field) => group.key[field] ?? null);
  const rows = [
    ...metricRows(report.total).map((row) => ['total', ...report.by.map(() => null), ...row]),
    ...report.groups.flatMap((group) => metricRows(group).map((row) => ['group', ...keys(group), ...row])),
  ];
  return [['scope', ...report.by, 'metric', ...FIGURES, ...INTERVAL], ...rows].map(csvLine).join('');
}

export function csvLine(cells: Cell[]): string {
  return cells.map(csvCell).join(',') + BREAK;
}

function metricRows(group: Group): Cell[][] {
  return [
    ...OUTCOMES.map((outcome) => shareRow(`outcome.${outcome}`, group.trajectories, group.outcomes[outcome])),
    ...rateRow('passRate', group.passRate, group.trajectories),
    ...rateRow('strictPassRate', group.strictPassRate, group.trajectories),
    ...Object.entries(group.passAtK).map(([k, value]) => meanRow(`passAtK.${k}`, value)),
    ...Object.entries(group.passHatK).map(([k, value]) => meanRow(`passHatK.${k}`, value)),
    ...(group.costPerPass === null ? [] : [meanRow('costPerPass', group.costPerPass)]),
    ...distributionEntries(group).map(([name, distribution]) => row(name, distribution)),
  ];
}

function row(metric: string, figures: Partial<Distribution>, rate?: Rate): Cell[] {
  return [metric, ...FIGURES.map((name) => figures[name] ?? null), ...INTERVAL.map((name) => rate?.[name] ?? null)];
}

function shareRow(metric: string, count: number, sum: number): Cell[] {
  return row(metric, { count, missing: 0, sum, mean: count === 0 ? null : sum / count });
}

function rateRow(metric: string, rate: Rate | null, trajectories: number): Cell[][] {
  if (rate === null) return [];
  const { n, value } = rate;
  return [row(metric, { count: n, missing: trajectories - n, sum: Math.round(n * value), mean: value }, rate)];
}

function meanRow(metric: string, mean: number): Cell[] {
  return row(metric, { mean });
}
