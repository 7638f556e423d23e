/** Names longer than this are cut, so that a log cannot fill the memory with a few of them. */
export const LONGEST_NAME = 200;

/** A name of bounded length; a hash of the whole keeps different long names different. */
export function shortName(name: string, longest = LONGEST_NAME): string {
  return name.length <= longest ? name : cut(name, longest);
}

function cut(name: string, longest: number): string {
  const high = name.charCodeAt(longest - 1);
  const end = high >= 0xd800 && high <= 0xdbff ? longest - 1 : longest; // never through the middle of an emoji
  const short = `${name.slice(0, end)}…${hashName(name).toString(16).padStart(14, '0')}`;
  // Through bytes and back, because a slice would keep the whole name alive.
  return Buffer.from(short, 'utf16le').toString('utf16le');
}

/** A well-mixed hash of a name, a whole number below 2^53; the same on every machine (cyrb53, by bryc, public domain). */
export function hashName(name: string): number {
  return hashNames(name);
}

/** The same of several together: other names, or the same ones cut elsewhere, have another hash. */
export function hashNames(...names: (string | null)[]): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let n = 0; n < names.length; n++) {
    const name = names[n];
    // No character has a number like this.
    if (n > 0 || name === null) {
      const mark = name === null ? 0x10000 : 0x20000;
      a = Math.imul(a ^ mark, 2654435761);
      b = Math.imul(b ^ mark, 1597334677);
    }
    if (name === null) continue;
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** The order of code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Null comes last. */
export function compareNullable<T extends string | number>(a: T | null, b: T | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}
