import type { Rate } from '../model/report.ts';
import { clusteredInterval } from '../stats/clustered-interval.ts';
import { type Cluster, clusteredStandardError } from '../stats/clustered-standard-error.ts';
import { wilsonInterval } from '../stats/wilson-interval.ts';
import type { Tasks, Trials } from './tasks.ts';

/** passed / (passed + failed); null where nothing was graded. */
export const passRate = (tasks: Tasks): Rate | null => rate(tasks, ({ passed, failed }) => passed + failed);

/** passed / (passed + failed + error + timeout); null where there was none of them. */
export const strictPassRate = (tasks: Tasks): Rate | null =>
  rate(tasks, ({ passed, failed, broken }) => passed + failed + broken);

/**
 * The share of passed trials with an interval at 95 %. Repeated trials of a task are not independent, so tasks are the
 * clusters; where clusters tell nothing (one trial each, fewer than two, no spread between them), Wilson's interval.
 */
function rate(tasks: Tasks, trialCount: (trials: Trials) => number): Rate | null {
  const clusters = [
    ...[...tasks.named.map(([, trials]) => trials), ...tasks.shared].map(
      (trials): Cluster => ({ sum: trials.passed, count: trialCount(trials) }),
    ),
    { sum: 1, count: 1, times: tasks.unnamed.passed },
    { sum: 0, count: 1, times: trialCount(tasks.unnamed) - tasks.unnamed.passed },
  ].filter(({ count, times = 1 }: Cluster) => count > 0 && times > 0);
  const total = (part: (cluster: Cluster) => number) =>
    clusters.reduce((sum, cluster: Cluster) => sum + part(cluster) * (cluster.times ?? 1), 0);
  const n = total((cluster) => cluster.count);
  if (n === 0) return null;
  const passed = total((cluster) => cluster.sum);
  const clusterCount = total(() => 1);
  const value = passed / n;
  const standardError = clusterCount === n ? null : clusteredStandardError(clusters);
  return standardError
    ? {
        value,
        n,
        ...clusteredInterval(value, standardError, clusterCount),
        standardError,
        clusters: clusterCount,
        method: 'clustered-t',
      }
    : {
        value,
        n,
        ...wilsonInterval(passed, n),
        standardError: n < 2 ? null : Math.sqrt((value * (1 - value)) / n),
        clusters: clusterCount,
        method: 'wilson',
      };
}
