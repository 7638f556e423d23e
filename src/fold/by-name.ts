import { type CappedState, capped, OTHER, pooled } from './capped.ts';
import type { Fold } from './fold.ts';
import { shortName } from './names.ts';

export interface ByName<R> {
  /** Sorted by name; what was beyond the limit comes last, as `(other)`. */
  entries: [name: string, result: R][];
  cut: boolean;
}

/** A fold per name over [name, input] pairs, for at most `limit` names; the others are folded together into `(other)`. */
export function byName<X, S, R>(
  limit: number,
  fold: Fold<X, S, R>,
): Fold<readonly [string, X], CappedState<S, S>, ByName<R>> {
  const inner = { ...fold, step: (state: S, [, input]: readonly [string, X]) => fold.step(state, input) };
  const names = capped(limit, ([name]: readonly [string, X]) => shortName(name), inner, pooled(inner));
  return {
    ...names,
    done(state) {
      const { kept, others, cut } = names.done(state);
      return { entries: others === null ? kept : [...kept, [OTHER, fold.done(others)]], cut };
    },
  };
}
