import type { Named } from '../model/named.ts';
import { type CappedState, capped, OTHER, pooled } from './capped.ts';
import type { Fold } from './fold.ts';
import { shortName } from './names.ts';

export interface ByName<R> {
  /** Sorted by name; what was beyond the limit comes last, as `(other)`. */
  entries: [name: string, result: R][];
  cut: boolean;
}

export interface ByNameFold<X, S, R> extends Fold<readonly [string, X], CappedState<S, S>, ByName<R>> {
  add(state: CappedState<S, S>, name: string, input: X): void;
}

/** A fold per name over [name, input] pairs, for at most `limit` names; the others are folded together into `(other)`. */
export function byName<X, S, R>(limit: number, fold: Fold<X, S, R>): ByNameFold<X, S, R> {
  const names = capped(limit, () => OTHER, fold, pooled(fold));
  const add = (state: CappedState<S, S>, name: string, input: X) => names.add(state, shortName(name), input);
  return {
    init: names.init,
    add,
    step(state, [name, input]) {
      add(state, name, input);
      return state;
    },
    merge: names.merge,
    done(state) {
      const { kept, others, cut } = names.done(state);
      return { entries: others === null ? kept : [...kept, [OTHER, fold.done(others)]], cut };
    },
  };
}

/** A fold on everything that the input names. */
export function prename<X, Y, S, R>(
  named: (input: X) => Named<Y>,
  fold: ByNameFold<Y, S, R>,
): Fold<X, CappedState<S, S>, ByName<R>> {
  return {
    ...fold,
    step(state, input) {
      const found = named(input);
      // Not by `for`: that makes a list of two for each of them.
      if (found instanceof Map) found.forEach((value: Y, name: string) => void fold.add(state, name, value));
      else for (const name of Object.keys(found)) fold.add(state, name, (found as Record<string, Y>)[name]);
      return state;
    },
  };
}
