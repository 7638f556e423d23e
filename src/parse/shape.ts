import type { Fold } from '../fold/fold.ts';

/**
 * What a format wants of a JSON value. A parser follows it and builds nothing else. One shape says what to do with each
 * kind of value that may stand in its place, so `either` a string or an array is one shape with two parts:
 *
 * - null, booleans and numbers are kept;
 * - a string is kept, or measured (`length`), or folded piece by piece as it streams by (`text`), or
 *   read as a time (`time`): then it becomes milliseconds since 1970, or null where it names no time, as does a number there,
 *   whose unit nobody knows;
 * - of an object, the members in `fields` are kept, and with `entries` all others too; with neither it becomes `{}`;
 * - of an array, the elements are kept in `items`, or with `stream` handed over one at a time as they complete, and not
 *   kept; with neither it becomes `[]`.
 *
 * So a value always keeps its kind, and what nobody asked for costs nothing.
 */
export interface Shape {
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly entries?: Shape;
  readonly items?: Shape;
  readonly stream?: string;
  /** The streamed items are events, of which a parser may hand over digests instead; see model/digest.ts. */
  readonly digest?: true;
  readonly length?: true;
  readonly text?: TextFold;
  readonly time?: true;
}

/** A fold over the pieces of one decoded string; where the string is cut into pieces must not matter. */
// biome-ignore lint/suspicious/noExplicitAny: the state is private to each fold
export type TextFold = Pick<Fold<string, any, unknown>, 'init' | 'step' | 'done'>;

/** What a measured string becomes: like the string itself, it has a `length` (in UTF-16 units, as in JavaScript). */
export interface Measured {
  length: number;
}

/** A scalar; of objects and arrays only their kind. */
export const scalar: Shape = {};

/** A timestamp, read on the way: millions of them are read, and hardly one is ever shown. */
export const time: Shape = { time: true };

/** The length of a string, without the string. */
export const measured: Shape = { length: true };

export const object = (fields: Record<string, Shape>): Shape => ({
  // Without a prototype, so that a key named `constructor` finds nothing.
  fields: Object.assign(Object.create(null), fields),
});
export const map = (entries: Shape): Shape => ({ entries });
export const list = (items: Shape): Shape => ({ items });
export const streamed = (name: string, items: Shape): Shape => ({ stream: name, items });
export const digested = (name: string, events: Shape): Shape => ({ stream: name, items: events, digest: true });
export const folded = (text: TextFold): Shape => ({ text });
export const either = (...shapes: Shape[]): Shape => Object.assign({}, ...shapes);

/** Deeper than any log nests, and shallow enough for every function that calls itself, such as JSON.stringify. */
const WHOLE_LEVELS = 256;

/** Everything; what nests deeper than that is left out, like any other container that nobody asked for. */
export const whole: Shape = (() => {
  let shape: Shape = {};
  for (let level = 0; level < WHOLE_LEVELS; level++) shape = { entries: shape, items: shape };
  return shape;
})();

/** Whether strings are read as times: the other ways to take a string come first. */
export function readsTime(shape: Shape): boolean {
  return shape.time === true && !shape.length && !shape.text;
}

/** The shape of an object's member, or undefined if nobody wants it. */
export function memberShape(shape: Shape, key: string): Shape | undefined {
  return shape.fields?.[key] ?? shape.entries;
}

/** Sets a member that came from a log: `__proto__` is a name like any other. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
