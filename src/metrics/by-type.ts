import type { Fold } from '../fold/fold.ts';
import type { TrajectoryEvent } from '../model/event.ts';

/** A fold, and the types of the events that it listens to; without types, to all of them. */
export interface Listener<S, R> {
  types?: readonly string[];
  fold: Fold<TrajectoryEvent, S, R>;
}

// biome-ignore lint/suspicious/noExplicitAny: a record of listeners may hold any state types
type AnyListener = Listener<any, any>;
type States<L extends Record<string, AnyListener>> = { [K in keyof L]: ReturnType<L[K]['fold']['init']> };
type Results<L extends Record<string, AnyListener>> = { [K in keyof L]: ReturnType<L[K]['fold']['done']> };

/** Like `struct`, but an event reaches only the folds that listen to its type: most events concern one or two. */
export function byType<L extends Record<string, AnyListener>>(
  listeners: L,
): Fold<TrajectoryEvent, States<L>, Results<L>> {
  const names = Object.keys(listeners);
  const always = names.filter((name) => !listeners[name].types);
  const table = new Map<string, string[]>();
  for (const type of names.flatMap((name) => listeners[name].types ?? []))
    table.set(
      type,
      names.filter((name) => listeners[name].types?.includes(type) ?? true),
    );
  const each = <T>(make: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, make(name)])) as T;
  return {
    init: () => each((name) => listeners[name].fold.init()),
    step(state: Record<string, unknown>, event) {
      for (const name of table.get(event.type) ?? always) state[name] = listeners[name].fold.step(state[name], event);
      return state as States<L>;
    },
    merge(left: Record<string, unknown>, right: Record<string, unknown>) {
      for (const name of names) left[name] = listeners[name].fold.merge(left[name], right[name]);
      return left as States<L>;
    },
    done: (state: Record<string, unknown>) => each((name) => listeners[name].fold.done(state[name])),
  } as Fold<TrajectoryEvent, States<L>, Results<L>>;
}
