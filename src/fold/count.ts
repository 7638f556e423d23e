import type { Fold } from './fold.ts';

/** How many inputs there were. */
export const count: Fold<unknown, number, number> = {
  init: () => 0,
  step: (seen) => seen + 1,
  merge: (left, right) => left + right,
  done: (seen) => seen,
};
