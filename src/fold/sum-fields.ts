import { addExactly, type ExactSum, mergeExactSums, roundExactSum, zeroSum } from '../stats/exact-sum.ts';
import type { Fold } from './fold.ts';

/** The exact sums of several fields of the input. */
export function sumFields<K extends string>(
  ...fields: K[]
): Fold<Readonly<Record<K, number>>, ExactSum[], Record<K, number>> {
  return {
    init: () => fields.map(zeroSum),
    step(sums, input) {
      for (let i = 0; i < fields.length; i++) addExactly(sums[i], input[fields[i]]);
      return sums;
    },
    merge(left, right) {
      for (let i = 0; i < fields.length; i++) mergeExactSums(left[i], right[i]);
      return left;
    },
    done: (sums) => Object.fromEntries(fields.map((field, i) => [field, roundExactSum(sums[i])])) as Record<K, number>,
  };
}
