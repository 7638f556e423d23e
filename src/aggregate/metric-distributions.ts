import type { Fold } from '../fold/fold.ts';
import { METRIC_NAMES, type MetricName } from '../model/report.ts';
import type { ReportRow } from '../model/report-row.ts';
import { metricOf } from '../stats/metric-of.ts';
import { type Described, type DistributionState, distribution } from './distribution.ts';

const readers = METRIC_NAMES.map((name) => metricOf[name]);

/** The distribution of every metric, in the order of their names. A list rather than a record, for the sake of speed. */
export const metricDistributions: Fold<ReportRow, DistributionState[], [MetricName, Described][]> = {
  init: () => METRIC_NAMES.map(distribution.init),
  step(states, row) {
    for (let i = 0; i < readers.length; i++) distribution.step(states[i], readers[i](row));
    return states;
  },
  merge: (left, right) => left.map((state, i) => distribution.merge(state, right[i])),
  done: (states) => METRIC_NAMES.map((name, i) => [name, distribution.done(states[i])]),
};
