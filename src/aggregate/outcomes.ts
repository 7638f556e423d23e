import type { Fold } from '../fold/fold.ts';
import type { ReportRow } from '../model/report-row.ts';
import { OUTCOMES, type Outcome } from '../model/row.ts';

type Counts = Record<Outcome, number>;

/** How many trajectories ended in each way; ways that none took are there with 0. */
export const outcomes: Fold<ReportRow, Counts, Counts> = {
  init: () => Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Counts,
  step(counts, row) {
    counts[row.outcome] += 1;
    return counts;
  },
  merge(left, right) {
    for (const outcome of OUTCOMES) left[outcome] += right[outcome];
    return left;
  },
  done: (counts) => ({ ...counts }),
};
