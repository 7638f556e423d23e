import { fromUnits, SMALLEST_EXPONENT, toSmallestUnits } from './exact-integer.ts';

/**
 * A running sum without any rounding, so that order and sharding cannot matter: the value is the exact sum of all parts.
 * Plain data.
 */
export interface ExactSum {
  /** Whole numbers, as long as their sum is a safe integer: nearly always the only part in use. */
  whole: number;
  /** Doubles that do not overlap, smallest first (Shewchuk 1997). */
  partials: number[] | null;
  /** Values so large or so small that the arithmetic on partials could leave the doubles, in units of 2^-2148; null for none. */
  wide: bigint | null;
  /** The infinities and NaNs, added as IEEE does: 0 when there were none. They show in the result, never in the parts. */
  special: number;
}

/** The exact square of a double is a whole number of 2^-2148. */
export const WIDE_EXPONENT = 2 * SMALLEST_EXPONENT;
const HUGE = 2 ** 960; // 2^53 values below it cannot overflow
const LARGEST_SQUARED = 2 ** 480;
const SMALLEST_SQUARED = 2 ** -450; // below it, the error of a square may underflow

export const zeroSum = (): ExactSum => ({ whole: 0, partials: null, wide: null, special: 0 });

/** Adds one value to the sum, in place. */
export function addExactly(sum: ExactSum, value: number): ExactSum {
  if (Number.isSafeInteger(value)) addWhole(sum, value);
  else if (!Number.isFinite(value)) sum.special += value;
  else if (Math.abs(value) < HUGE) addPartial(sum, value);
  else addWide(sum, toSmallestUnits(value) << BigInt(-SMALLEST_EXPONENT));
  return sum;
}

/** Adds the exact square of one value to the sum, in place: its rounded square and the error of that (Dekker). */
export function addSquareExactly(sum: ExactSum, value: number): ExactSum {
  const square = value * value;
  const size = Math.abs(value);
  if (Number.isSafeInteger(square) && Number.isInteger(value)) addWhole(sum, square);
  else if (!Number.isFinite(value)) sum.special += square;
  else if (size > LARGEST_SQUARED || size < SMALLEST_SQUARED) addWide(sum, toSmallestUnits(value) ** 2n);
  else {
    const high = value * 134217729 - (value * 134217729 - value); // Veltkamp: the upper 26 bits
    const low = value - high;
    addPartial(sum, low * low - (square - high * high - 2 * high * low));
    addPartial(sum, square);
  }
  return sum;
}

/** Adds the second sum to the first, in place. */
export function mergeExactSums(left: ExactSum, right: ExactSum): ExactSum {
  addWhole(left, right.whole);
  if (right.partials !== null) for (const partial of right.partials) addPartial(left, partial);
  if (right.wide !== null) addWide(left, right.wide);
  left.special += right.special;
  return left;
}

/** The double nearest to the exact sum, ties to even. */
export function roundExactSum(sum: ExactSum): number {
  if (sum.special !== 0) return sum.special;
  if (sum.wide !== null) return fromUnits(exactSumAsWide(sum), WIDE_EXPONENT);
  return sum.partials === null ? sum.whole : roundPartials(grown([...sum.partials], sum.whole));
}

/** The finite part of the sum as a whole number of 2^-2148. */
export function exactSumAsWide(sum: ExactSum): bigint {
  let units = toSmallestUnits(sum.whole);
  for (const partial of sum.partials ?? []) units += toSmallestUnits(partial);
  return (units << BigInt(-SMALLEST_EXPONENT)) + (sum.wide ?? 0n);
}

/** The correctly rounded sum of the values, in whatever order they come. */
export function exactSum(values: Iterable<number>): number {
  const sum = zeroSum();
  for (const value of values) addExactly(sum, value);
  return roundExactSum(sum);
}

function addWhole(sum: ExactSum, value: number): void {
  const next = sum.whole + value;
  if (Number.isSafeInteger(next)) sum.whole = next;
  else {
    addPartial(sum, sum.whole);
    sum.whole = value;
  }
}

function addWide(sum: ExactSum, units: bigint): void {
  sum.wide = (sum.wide ?? 0n) + units;
}

function addPartial(sum: ExactSum, value: number): void {
  sum.partials = grown(sum.partials ?? [], value);
}

/** The partials with one more value, in place (Shewchuk's grow-expansion, without the zeros). */
function grown(partials: number[], value: number): number[] {
  let kept = 0;
  let carry = value;
  for (let i = 0; i < partials.length; i++) {
    const partial = partials[i];
    const total = carry + partial;
    const larger = Math.abs(carry) < Math.abs(partial) ? partial : carry;
    const error = (larger === partial ? carry : partial) - (total - larger);
    if (error !== 0) partials[kept++] = error;
    carry = total;
  }
  if (carry !== 0) partials[kept++] = carry;
  if (kept < partials.length) partials.length = kept;
  return partials;
}

function roundPartials(partials: readonly number[]): number {
  let i = partials.length - 1;
  if (i < 0) return 0;
  let total = partials[i];
  let error = 0;
  while (i > 0 && error === 0) {
    const before = total;
    const next = partials[--i];
    total = before + next;
    error = next - (total - before);
  }
  // A tie that the remaining partials would break the other way, were they not too small to be seen (as in Python's fsum).
  if (i > 0 && error !== 0 && Math.sign(error) === Math.sign(partials[i - 1])) {
    const doubled = error * 2;
    const moved = total + doubled;
    if (moved - total === doubled) return moved;
  }
  return total;
}
