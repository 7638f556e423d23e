import { addExactly, type ExactSum, mergeExactSums, roundExactSum, zeroSum } from '../stats/exact-sum.ts';
import type { Fold } from './fold.ts';

/** The correctly rounded sum: the same in any order and any sharding. */
export const sum: Fold<number, ExactSum, number> = {
  init: zeroSum,
  step: addExactly,
  merge: mergeExactSums,
  done: roundExactSum,
};
