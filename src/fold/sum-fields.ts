import { addExactly, type ExactSum, mergeExactSums, roundExactSum, zeroSum } from '../stats/exact-sum.ts';
import type { Fold } from './fold.ts';

/** The exact sums of several fields of the input. */
export function sumFields<K extends string>(
  ...fields: K[]
): Fold<Readonly<Record<K, number>>, Record<K, ExactSum>, Record<K, number>> {
  const each = <T>(make: (field: K) => T) =>
    Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<K, T>;
  return {
    init: () => each(zeroSum),
    step(sums, input) {
      for (const field of fields) addExactly(sums[field], input[field]);
      return sums;
    },
    merge(left, right) {
      for (const field of fields) mergeExactSums(left[field], right[field]);
      return left;
    },
    done: (sums) => each((field) => roundExactSum(sums[field])),
  };
}
