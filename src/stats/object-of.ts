/** A Map as an object. Names come from logs: `__proto__` is one like any other, and becomes a member of its own. */
export function objectOf<V>(entries: Map<string, V>): Record<string, V> {
  const object: Record<string, V> = {};
  for (const [name, value] of entries) {
    if (name === '__proto__')
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    else object[name] = value;
  }
  return object;
}
