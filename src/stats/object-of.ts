import type { Named } from '../model/named.ts';

/** As an object. Names come from logs: `__proto__` is one like any other, and becomes a member of its own. */
export function objectOf<V>(named: Named<V>): Record<string, V> {
  if (!(named instanceof Map)) return named as Record<string, V>;
  const object: Record<string, V> = {};
  for (const [name, value] of named as Map<string, V>) {
    if (name === '__proto__')
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    else object[name] = value;
  }
  return object;
}
