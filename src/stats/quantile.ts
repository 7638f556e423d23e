/**
 * The quantile of type 7 (Hyndman and Fan), linear interpolation between order statistics: the default of R, NumPy and
 * DuckDB's `quantile_cont`. The values must be sorted, and there must be at least one.
 */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  return interpolateRank((rank) => sorted[rank], sorted.length, probability);
}

/** The same interpolation for values that are known by their rank, 0 to `count` − 1. */
export function interpolateRank(valueAt: (rank: number) => number, count: number, probability: number): number {
  const position = (count - 1) * probability;
  const rank = Math.floor(position);
  const weight = position - rank;
  const lower = valueAt(rank);
  if (weight === 0) return lower;
  const upper = valueAt(rank + 1);
  // From the nearer end, as NumPy does: then the result never leaves the interval between the two.
  return weight < 0.5 ? lower + (upper - lower) * weight : upper - (upper - lower) * (1 - weight);
}
