import { exactSum } from './exact-sum.ts';

/** The arithmetic mean, from the correctly rounded sum; null for no values. */
export function mean(values: ArrayLike<number> & Iterable<number>): number | null {
  return values.length === 0 ? null : exactSum(values) / values.length;
}
