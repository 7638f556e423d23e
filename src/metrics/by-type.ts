import type { EventFold } from './event-fold.ts';

/** A fold, and the types of the events that it listens to; without types, to all of them. */
export interface Listener<S, R> {
  types?: readonly string[];
  fold: EventFold<S, R>;
}

// biome-ignore lint/suspicious/noExplicitAny: a record of listeners may hold any state types
type AnyListener = Listener<any, any>;
type Results<L extends Record<string, AnyListener>> = { [K in keyof L]: ReturnType<L[K]['fold']['done']> };

/**
 * Like `struct`, but an event reaches only the folds that listen to its type: most events concern one or two. The states
 * lie in an array, because finding them by name takes longer than many a fold does.
 */
export function byType<L extends Record<string, AnyListener>>(listeners: L): EventFold<unknown[], Results<L>> {
  const names = Object.keys(listeners);
  const folds = names.map((name) => listeners[name].fold);
  const listening = (type: string | null) =>
    names.flatMap((name, index) => {
      const { types } = listeners[name];
      return !types || (type !== null && types.includes(type)) ? index : [];
    });
  const always = listening(null);
  const byType = new Map(names.flatMap((name) => listeners[name].types ?? []).map((type) => [type, listening(type)]));
  return {
    init() {
      // Not by `map`: once that is optimised it makes another kind of array, and all that was compiled for the first
      // kind is thrown away in the middle of a run.
      const states: unknown[] = [];
      for (const fold of folds) states.push(fold.init());
      return states;
    },
    step(states, event) {
      const concerned = byType.get(event.type) ?? always;
      for (let at = 0; at < concerned.length; at++) {
        const index = concerned[at];
        states[index] = folds[index].step(states[index], event);
      }
      return states;
    },
    absorb(states, digest) {
      for (let index = 0; index < folds.length; index++) states[index] = folds[index].absorb(states[index], digest);
      return states;
    },
    merge(left, right) {
      folds.forEach((fold, index) => {
        left[index] = fold.merge(left[index], right[index]);
      });
      return left;
    },
    done(states) {
      const results: Record<string, unknown> = {};
      for (let index = 0; index < folds.length; index++) results[names[index]] = folds[index].done(states[index]);
      return results as Results<L>;
    },
  };
}
