import { exactSum } from './exact-sum.ts';

/** The scores of one cluster, such as the repeated trials of one task. */
export interface Cluster {
  sum: number;
  count: number;
  /** How many clusters look just like this; 1 unless told. */
  times?: number;
}

/**
 * The standard error of the mean of all scores, when scores of one cluster are not independent:
 * sqrt(C/(C−1) · Σ_c (Σ_i (s_ci − s̄))²) / n. Null for fewer than two clusters.
 */
export function clusteredStandardError(clusters: readonly Cluster[]): number | null {
  const filled = clusters.filter((cluster) => cluster.count > 0);
  const total = (part: (cluster: Cluster) => number) => exactSum(filled.map((c) => part(c) * (c.times ?? 1)));
  const clusterCount = total(() => 1);
  if (clusterCount < 2) return null;
  const n = total((cluster) => cluster.count);
  const sum = total((cluster) => cluster.sum);
  // (sum_c·n − count_c·sum)/n rather than sum_c − count_c·mean: for whole scores a deviation of 0 is then exactly 0.
  const squares = total((cluster) => ((cluster.sum * n - cluster.count * sum) / n) ** 2);
  return Math.sqrt((clusterCount / (clusterCount - 1)) * squares) / n;
}
