import {
  addExactly,
  addSquareExactly,
  type ExactSum,
  mergeExactSums,
  roundExactSum,
  zeroSum,
} from '../stats/exact-sum.ts';
import { sampleStandardDeviationOfSums } from '../stats/sample-standard-deviation.ts';
import { type Fold, foldAll } from './fold.ts';

export interface MomentsState {
  count: number;
  sum: ExactSum;
  squares: ExactSum;
}

export interface Moments {
  count: number;
  sum: number;
  /** Null for no values. */
  mean: number | null;
  /** Sample standard deviation; null for fewer than two values. */
  sd: number | null;
}

/** Count, sum, mean and sample standard deviation, from exact sums of the values and of their squares. */
export const moments: Fold<number, MomentsState, Moments> = {
  init: () => ({ count: 0, sum: zeroSum(), squares: zeroSum() }),
  step(state, value) {
    state.count += 1;
    addExactly(state.sum, value);
    addSquareExactly(state.squares, value);
    return state;
  },
  merge(left, right) {
    left.count += right.count;
    mergeExactSums(left.sum, right.sum);
    mergeExactSums(left.squares, right.squares);
    return left;
  },
  done({ count, sum, squares }) {
    const total = roundExactSum(sum);
    return {
      count,
      sum: total,
      mean: count === 0 ? null : total / count,
      sd: sampleStandardDeviationOfSums(count, sum, squares),
    };
  },
};

/** The moments of values that are all there. Whole numbers, as most are, need no exact sums while theirs are exact. */
export function momentsOf(values: ArrayLike<number> & Iterable<number>): Moments {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isInteger(value)) return foldAll(moments, values);
    sum += value;
    squares += value * value;
  }
  // The squares of whole numbers are the larger of the two sums at every step.
  if (!Number.isSafeInteger(squares)) return foldAll(moments, values);
  const exactly = (whole: number) => addExactly(zeroSum(), whole);
  return moments.done({ count: values.length, sum: exactly(sum), squares: exactly(squares) });
}
