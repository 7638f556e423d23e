import type { Fold } from './fold.ts';
import { compareText, hashName } from './names.ts';

/** The name under which everything beyond a cap is found. */
export const OTHER = '(other)';

/** What becomes of the names that are not kept. */
export interface Overflow<X, S, O> {
  /** A name that means the overflow itself, if the input should hold it. */
  name: string | null;
  init(): O;
  /** Takes an input whose name is not kept. */
  step(others: O, name: string, input: X): O;
  /** Takes all that was kept of a name. */
  absorb(others: O, name: string, state: S): O;
  merge(left: O, right: O): O;
}

export interface CappedState<S, O> {
  kept: Map<string, S>;
  /** The last name that can still be kept; null while every name can. It only ever moves towards the front. */
  last: { hash: number; name: string } | null;
  /** Null while nothing has overflowed. */
  others: O | null;
}

export interface CappedFold<X, S, R, O> extends Fold<X, CappedState<S, O>, Capped<R, O>> {
  /** Takes an input under this name, where whoever calls knows it already. */
  add(state: CappedState<S, O>, name: string, input: X): void;
}

export interface Capped<R, O> {
  /** Sorted by name. */
  kept: [name: string, result: R][];
  others: O | null;
  /** Whether there were more names than the limit. */
  cut: boolean;
}

/**
 * A fold per name, for at most `limit` names; the others overflow. Kept are the names with the smallest hashes, which
 * depends only on the set of names and so never on order or sharding. A name that was turned away once lies behind
 * `last` and stays away, so whatever is kept is complete, and kept and others together are everything.
 */
export function capped<X, S, R, O = S>(
  limit: number,
  nameOf: (input: X) => string,
  fold: Fold<X, S, R>,
  overflow: Overflow<X, S, O>,
): CappedFold<X, S, R, O> {
  // A little more than the limit is held, so that cutting back is rare enough to cost nothing.
  const most = limit + Math.max(16, limit >> 2);

  function absorb(state: CappedState<S, O>, name: string, one: S): void {
    state.others = overflow.absorb(state.others ?? overflow.init(), name, one);
  }

  /** Lets go of all names behind the limit-th. The state still means the same. */
  function cutBack(state: CappedState<S, O>): void {
    if (state.kept.size <= limit) return;
    const ranked = [...state.kept.keys()].map((name) => ({ hash: hashName(name), name })).sort(compareRank);
    state.last = ranked[limit - 1];
    for (const { name } of ranked.slice(limit)) {
      absorb(state, name, state.kept.get(name)!);
      state.kept.delete(name);
    }
  }

  function add(state: CappedState<S, O>, name: string, input: X): void {
    const known = state.kept.get(name);
    if (known !== undefined) {
      const next = fold.step(known, input);
      if (next !== known) state.kept.set(name, next);
    } else if (name === overflow.name || (state.last !== null && isBehind(state.last, name))) {
      state.others = overflow.step(state.others ?? overflow.init(), name, input);
    } else {
      state.kept.set(name, fold.step(fold.init(), input));
      if (state.kept.size > most) cutBack(state);
    }
  }

  return {
    init: () => ({ kept: new Map(), last: null, others: null }),
    add,
    step(state, input) {
      add(state, nameOf(input), input);
      return state;
    },
    merge(left, right) {
      if (right.others !== null) left.others = overflow.merge(left.others ?? overflow.init(), right.others);
      for (const [name, one] of right.kept) left.kept.set(name, fold.merge(left.kept.get(name) ?? fold.init(), one));
      // A name that one side keeps and the other turned away needs no care here: the other side keeps enough names
      // before it, so that the next cut lets it go, with all that it has.
      if (right.last !== null && (left.last === null || compareRank(right.last, left.last) < 0)) left.last = right.last;
      if (left.kept.size > most) cutBack(left);
      return left;
    },
    done(state) {
      cutBack(state);
      return {
        kept: [...state.kept]
          .sort(([a], [b]) => compareText(a, b))
          .map(([name, one]): [string, R] => [name, fold.done(one)]),
        others: state.others,
        cut: state.last !== null,
      };
    },
  };
}

/** All that overflows goes into one state of the same fold. */
export function pooled<X, S, R>(fold: Fold<X, S, R>, name: string | null = OTHER): Overflow<X, S, S> {
  return {
    name,
    init: fold.init,
    step: (others, _, input) => fold.step(others, input),
    absorb: (others, _, state) => fold.merge(others, state),
    merge: fold.merge,
  };
}

interface Rank {
  hash: number;
  name: string;
}

function compareRank(a: Rank, b: Rank): number {
  return a.hash - b.hash || compareText(a.name, b.name);
}

function isBehind(last: Rank, name: string): boolean {
  return compareRank({ hash: hashName(name), name }, last) > 0;
}
