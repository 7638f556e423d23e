import { append, type CompactNumbers, sorted } from './compact-numbers.ts';
import type { Fold } from './fold.ts';

/** Either the values themselves, or, once there were too many, the state of the fold that took them over. */
export interface ExactUpToState<S> {
  count: number;
  values: CompactNumbers | null;
  beyond: S | null;
}

/**
 * Keeps the values themselves, for an exact answer, while there are at most `limit` of them; beyond that they go through
 * `fold`. Which of the two it is depends on the count alone, so never on order or sharding. Nothing is allocated before
 * the first value.
 */
export function exactUpTo<S, R>(
  limit: number,
  exactly: (sorted: ArrayLike<number> & Iterable<number>) => R,
  fold: Fold<number, S, R>,
): Fold<number, ExactUpToState<S>, R> {
  /** The state of the fold, which takes over the values if it has not yet. */
  function spill(state: ExactUpToState<S>): S {
    if (state.beyond !== null) return state.beyond;
    let beyond = fold.init();
    for (let i = 0; i < state.count; i++) beyond = fold.step(beyond, state.values![i]);
    state.values = null;
    return beyond;
  }
  function step(state: ExactUpToState<S>, value: number): ExactUpToState<S> {
    if (state.count < limit) state.values = append(state.values, state.count, value);
    else state.beyond = fold.step(spill(state), value);
    state.count += 1;
    return state;
  }
  return {
    init: () => ({ count: 0, values: null, beyond: null }),
    step,
    merge(left, right) {
      if (right.beyond !== null) {
        left.beyond = fold.merge(spill(left), right.beyond);
        left.count += right.count;
      } else {
        for (let i = 0; i < right.count; i++) step(left, right.values![i]);
      }
      return left;
    },
    done: ({ count, values, beyond }) =>
      beyond === null ? exactly(values === null ? [] : sorted(values, count)) : fold.done(beyond),
  };
}
