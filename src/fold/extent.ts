import type { Fold } from './fold.ts';

export interface Extent {
  min: number;
  max: number;
}

/** The smallest and the largest value; null for none. */
export const extent: Fold<number, Extent, Extent | null> = {
  init: () => ({ min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }),
  step(state, value) {
    if (value < state.min) state.min = value;
    if (value > state.max) state.max = value;
    return state;
  },
  merge(left, right) {
    if (right.min < left.min) left.min = right.min;
    if (right.max > left.max) left.max = right.max;
    return left;
  },
  done: ({ min, max }) => (min > max ? null : { min, max }),
};
