/**
 * Numbers in the narrowest typed array that holds all of them exactly: counts mostly fit in two bytes, tokens and
 * milliseconds in four. There may be room for more at the end, so the length is kept beside it.
 */
export type CompactNumbers = Uint16Array | Float32Array | Float64Array;

const FIRST_ROOM = 8;

/** The first `length` numbers and one more: in the same array, or in a larger or wider one where it must be. */
export function append(numbers: CompactNumbers | null, length: number, value: number): CompactNumbers {
  let array = numbers ?? new Uint16Array(FIRST_ROOM);
  if (!holds(array, value)) array = widen(array, value);
  if (length === array.length) array = grow(array);
  // + 0 turns −0 into 0: the width, which depends on the order, must not decide which of them is kept.
  array[length] = value + 0;
  return array;
}

/** All of them, and no room for more. */
export function compact(numbers: readonly number[]): CompactNumbers {
  let array: CompactNumbers = new Uint16Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) array = append(array, at, numbers[at]);
  return array;
}

/** The first `length` numbers, in ascending order; always doubles, since code that meets one kind of array is faster. */
export function sorted(numbers: CompactNumbers, length: number): Float64Array {
  const own = numbers.slice(0, length);
  bitsOf(own).sort();
  // What is negative is in the wrong order now, but comes first.
  return new Float64Array(own[0] < 0 ? own.sort() : own);
}

/** The same memory as whole numbers, which have the order of the numbers that are not negative, and are sorted sooner. */
function bitsOf(array: CompactNumbers): Uint16Array | Int32Array | BigInt64Array {
  if (array instanceof Uint16Array) return array;
  return array instanceof Float32Array ? new Int32Array(array.buffer) : new BigInt64Array(array.buffer);
}

function holds(array: CompactNumbers, value: number): boolean {
  if (array instanceof Uint16Array) return (value & 0xffff) === value;
  return array instanceof Float64Array || Math.fround(value) === value;
}

function widen(array: CompactNumbers, value: number): CompactNumbers {
  return array instanceof Uint16Array && Math.fround(value) === value
    ? new Float32Array(array)
    : new Float64Array(array);
}

/** Doubles while small, to be quick; then grows by half, to waste little. */
function grow(array: CompactNumbers): CompactNumbers {
  const more = array.length < 512 ? array.length : array.length >> 1;
  const larger = new (array.constructor as Float64ArrayConstructor)(array.length + more);
  larger.set(array);
  return larger;
}
