const bits = new DataView(new ArrayBuffer(8));
const FRACTION = (1n << 52n) - 1n;

/** Every finite double is a whole number of these: 2^-1074, the smallest positive double. */
export const SMALLEST_EXPONENT = -1074;

/** A finite double as the whole number of 2^-1074 that it is, without rounding. */
export function toSmallestUnits(value: number): bigint {
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponent = raw >> 52n;
  const magnitude = exponent === 0n ? raw : ((raw & FRACTION) | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}

/** The double nearest to `whole` · 2^`exponent`, ties to even. */
export function fromUnits(whole: bigint, exponent: number): number {
  const magnitude = whole < 0n ? -whole : whole;
  const surplus = Math.max(0, bitLength(magnitude) - 64);
  const top = magnitude >> BigInt(surplus);
  // One sticky bit remembers whether anything was cut, so that a tie is told from almost a tie.
  const sticky = top << BigInt(surplus) === magnitude ? 0n : 1n;
  const rounded = timesPowerOfTwo(Number(top | sticky), surplus + exponent);
  return whole < 0n ? -rounded : rounded;
}

/** The square root of `numerator` / `denominator` · 2^`exponent`, for an even exponent; within one unit in the last place. */
export function squareRootOfRatio(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator === 0n) return 0;
  const wanted = 128 - bitLength(numerator) + bitLength(denominator);
  const shift = wanted + (wanted & 1);
  const quotient =
    shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift));
  return timesPowerOfTwo(Math.sqrt(Number(quotient)), (exponent - shift) / 2);
}

function bitLength(whole: bigint): number {
  const hexadecimal = whole.toString(16);
  return hexadecimal.length * 4 - (Math.clz32(Number.parseInt(hexadecimal[0], 16)) - 28);
}

// In two steps, because 2^exponent itself may lie outside the range of a double where the product does not.
function timesPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
