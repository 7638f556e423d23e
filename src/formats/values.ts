import { setMember } from '../parse/shape.ts';

/** Readings of values that a log may have written in any way. */

export type Obj = Record<string, unknown>;

export function isObject(value: unknown): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one: members of it are then undefined. */
export function obj(value: unknown): Obj {
  return isObject(value) ? value : {};
}

export function text(...values: unknown[]): string | null {
  for (const value of values) if (typeof value === 'string') return value;
  return null;
}

/** The first of the values that is a number; identifiers are sometimes numbers, and then are text all the same. */
export function name(...values: unknown[]): string | null {
  for (const value of values) {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}

export function finite(...values: unknown[]): number | null {
  for (const value of values) if (typeof value === 'number' && Number.isFinite(value)) return value;
  return null;
}

/** A member by one of its names, the first that is there. */
export function pick(source: Obj, ...names: string[]): unknown {
  for (const key of names) if (source[key] !== undefined && source[key] !== null) return source[key];
  return undefined;
}

/** "an array", "a number": what was found, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Those of the entries that are numbers, the first of each name. */
export function numbers(entries: Iterable<[string, number | null]>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, value] of entries) if (value !== null && !Object.hasOwn(found, key)) setMember(found, key, value);
  return found;
}

/** Those of the named members that are numbers, put into another object. The names are ours, not the log's. */
export function copyNumbers(target: Record<string, number>, source: Obj, names: readonly string[]): void {
  for (const name of names) {
    const value = source[name];
    if (typeof value === 'number' && Number.isFinite(value)) target[name] = value;
  }
}

/** A string, or what stands for one that was only measured. */
export function hasText(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length > 0
    : isObject(value) && typeof value.length === 'number' && value.length > 0;
}

export type Timestamp = string | number | null;

/** A timestamp as the log has it, or as the parser has read it. */
export function timestamp(value: unknown): Timestamp {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
