/**
 * A fold is a value: how to begin, how to take one more input, how to join two partial results, and what it all means.
 * The law that every fold keeps: merging the states of two halves equals one pass over the whole. So one file, many
 * files and many cores are the same program. States are plain data (objects, arrays, Maps, typed arrays), so that they
 * survive the way from a worker thread. `step` and `merge` may change and return their first argument; they never
 * change the second.
 */
export interface Fold<X, S, R> {
  init(): S;
  step(state: S, input: X): S;
  merge(left: S, right: S): S;
  done(state: S): R;
}

// biome-ignore lint/suspicious/noExplicitAny: a record of folds may hold any state types
type AnyFold<X> = Fold<X, any, any>;
type ResultsOf<F extends Record<string, AnyFold<never>>> = { [K in keyof F]: ReturnType<F[K]['done']> };

export interface Struct<X, F extends Record<string, AnyFold<X>>> extends Fold<X, unknown[], ResultsOf<F>> {
  /** The state of one of the folds. */
  part<K extends keyof F & string>(states: unknown[], name: K): ReturnType<F[K]['init']>;
}

/**
 * Folds side by side, over the same input, are a fold. Their states lie in a list, because finding them by name takes
 * longer than many a fold does.
 */
export function struct<X, F extends Record<string, AnyFold<X>>>(folds: F): Struct<X, F> {
  const names = Object.keys(folds);
  const all = Object.values(folds);
  const steps = all.map(({ step }) => step);
  return {
    init: () => all.map((fold) => fold.init()),
    step(states, input) {
      for (let i = 0; i < steps.length; i++) {
        const before = states[i];
        const after = steps[i](before, input);
        // Most folds change their state in place, and a store that changes nothing still costs.
        if (after !== before) states[i] = after;
      }
      return states;
    },
    merge(left, right) {
      for (let i = 0; i < all.length; i++) left[i] = all[i].merge(left[i], right[i]);
      return left;
    },
    part: <K extends keyof F & string>(states: unknown[], name: K) =>
      states[names.indexOf(name)] as ReturnType<F[K]['init']>,
    done: (states) => Object.fromEntries(names.map((name, i) => [name, all[i].done(states[i])])) as ResultsOf<F>,
  };
}

/** A fold on a part of the input. */
export function premap<X, Y, S, R>(part: (input: X) => Y, fold: Fold<Y, S, R>): Fold<X, S, R> {
  return { ...fold, step: (state, input) => fold.step(state, part(input)) };
}

/** A fold on some of the inputs. */
export function prefilter<X, S, R>(wanted: (input: X) => boolean, fold: Fold<X, S, R>): Fold<X, S, R> {
  return { ...fold, step: (state, input) => (wanted(input) ? fold.step(state, input) : state) };
}

/** The same fold, with another reading of its result. */
export function mapDone<X, S, R, T>(fold: Fold<X, S, R>, read: (result: R) => T): Fold<X, S, T> {
  return { ...fold, done: (state) => read(fold.done(state)) };
}

/** A fold per key. The Map keeps hostile keys (`__proto__`) apart from everything else. */
export function groupBy<X, K, S, R>(key: (input: X) => K, fold: Fold<X, S, R>): Fold<X, Map<K, S>, Map<K, R>> {
  return {
    init: () => new Map(),
    step(groups, input) {
      const name = key(input);
      groups.set(name, fold.step(groups.get(name) ?? fold.init(), input));
      return groups;
    },
    merge(left, right) {
      for (const [name, state] of right) left.set(name, fold.merge(left.get(name) ?? fold.init(), state));
      return left;
    },
    done: (groups) => new Map([...groups].map(([name, state]) => [name, fold.done(state)])),
  };
}

/** Runs a fold over everything there is. */
export function foldAll<X, S, R>(fold: Fold<X, S, R>, inputs: Iterable<X>): R {
  let state = fold.init();
  for (const input of inputs) state = fold.step(state, input);
  return fold.done(state);
}
