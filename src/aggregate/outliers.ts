import type { Fold } from '../fold/fold.ts';
import { compareNullable, compareText, shortName } from '../fold/names.ts';
import { top } from '../fold/top.ts';
import type { RowRef } from '../model/report.ts';
import type { ReportRow } from '../model/report-row.ts';
import { LIMITS } from './limits.ts';

const highest = top(LIMITS.outliers, compareReferences);

/** Where to find the trajectories with the largest values. */
export function outliers(read: (row: ReportRow) => number | null): Fold<ReportRow, RowRef[], RowRef[]> {
  return {
    ...highest,
    step(best, row) {
      const value = read(row);
      if (value === null || !Number.isFinite(value)) return best;
      // Most rows are nowhere near the top: they are turned away before anything is built for them.
      const last = best[LIMITS.outliers - 1];
      return last !== undefined && value < last.value ? best : highest.step(best, reference(row, value));
    },
  };
}

function reference({ source, id, task, model }: ReportRow, value: number): RowRef {
  const { path, line, index } = source;
  const short = (name: string | null) => (name === null ? null : shortName(name));
  return { path, line, index, id: short(id), task: short(task), model: short(model), value };
}

/** Largest value first, then by place; to the last field, so that only equal references tie. */
function compareReferences(a: RowRef, b: RowRef): number {
  return (
    b.value - a.value ||
    compareText(a.path, b.path) ||
    compareNullable(a.line, b.line) ||
    compareNullable(a.index, b.index) ||
    compareNullable(a.id, b.id) ||
    compareNullable(a.task, b.task) ||
    compareNullable(a.model, b.model)
  );
}
