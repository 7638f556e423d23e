/** Sixteen and sixty-four bytes at a time. */

export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const NEWLINE: u8 = 0x0a;

// @ts-ignore: decorator
@inline
function special(v: v128): v128 {
  // As signed numbers, control characters and the bytes of non-ASCII characters are both below a space.
  return v128.or(
    v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
    i8x16.lt_s(v, i8x16.splat(0x20)),
  );
}

/** One bit for each of 16 bytes that cannot stand in a plain run: quote, backslash, control, non-ASCII. */
// @ts-ignore: decorator
@inline
export function specialMask(p: usize): i32 {
  return i8x16.bitmask(special(v128.load(p)));
}

/** The first byte from here on that is not plain. There always is one: a zero follows the input. */
export function plainEnd(p: usize): usize {
  for (let i = 0; i < 4; i++) {
    const mask = specialMask(p);
    if (mask) return p + ctz(mask);
    p += 16;
  }
  while (true) {
    const any = v128.or(
      v128.or(special(v128.load(p)), special(v128.load(p, 16))),
      v128.or(special(v128.load(p, 32)), special(v128.load(p, 48))),
    );
    if (v128.any_true(any)) break;
    p += 64;
  }
  while (true) {
    const mask = specialMask(p);
    if (mask) return p + ctz(mask);
    p += 16;
  }
}

// @ts-ignore: decorator
@inline
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>i8x16.bitmask(a) | (<u64>i8x16.bitmask(b) << 16) | (<u64>i8x16.bitmask(c) << 32) | (<u64>i8x16.bitmask(d) << 48)
  );
}

// @ts-ignore: decorator
@inline
function equalBits(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const wanted = i8x16.splat(byte);
  return bits(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted));
}

/** The letters of most escapes: the table has one for each lower half of a byte, and none that equals a zero byte. */
// @ts-ignore: decorator
@inline
function escapeLetter(v: v128): v128 {
  const letters = i8x16(1, 0, 0x72, 0, 0x74, 0, 0x66, 0, 0, 0, 0, 0, 0, 0, 0x6e, 0x2f);
  return i8x16.eq(v, i8x16.swizzle(letters, v128.and(v, i8x16.splat(15))));
}

/** Bytes that escapes added to what `skipPlain` has skipped: two bytes for one character. */
export let escapedBytes: i64 = 0;

/**
 * Like `plainEnd`, but passes most escapes of two characters as well: stops at the quote that ends the string, a control
 * or non-ASCII byte, or the backslash of another escape. Works on bit masks of 64 bytes, so text that is full of `\n`
 * and `\"` costs no branch for each of them.
 */
export function skipPlain(p: usize): usize {
  escapedBytes = 0;
  const space = i8x16.splat(0x20);
  while (true) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const outside = v128.or(
      v128.or(i8x16.lt_s(a, space), i8x16.lt_s(b, space)),
      v128.or(i8x16.lt_s(c, space), i8x16.lt_s(d, space)),
    );
    const quotes = equalBits(a, b, c, d, QUOTE);
    const backslashes = equalBits(a, b, c, d, BACKSLASH);
    let stops = quotes;
    if (v128.any_true(outside))
      stops |= bits(i8x16.lt_s(a, space), i8x16.lt_s(b, space), i8x16.lt_s(c, space), i8x16.lt_s(d, space));
    if (backslashes == 0) {
      if (stops) return p + <usize>ctz(stops);
      p += 64;
      continue;
    }
    const codes = escapesAndEnds(backslashes);
    const escaped = codes ^ backslashes;
    const letters = bits(escapeLetter(a), escapeLetter(b), escapeLetter(c), escapeLetter(d));
    stops = (stops & ~escaped) | ((escaped & ~(letters | quotes | backslashes)) >> 1);
    if (stops) {
      const first = ctz(stops);
      escapedBytes += popcnt(escaped & ((<u64>1 << first) - 1));
      return p + <usize>first;
    }
    escapedBytes += popcnt(escaped);
    // An escape that begins with the last byte is looked at again from there.
    p += 64 - <usize>((codes & backslashes) >> 63);
  }
}

/**
 * A bit for each backslash that begins an escape, and for the byte after each run of backslashes of odd length. (From
 * simdjson: the subtraction carries through each run, which tells runs that begin on odd and on even bits apart.)
 */
// @ts-ignore: decorator
@inline
function escapesAndEnds(backslashes: u64): u64 {
  const oddBits: u64 = 0xaaaaaaaaaaaaaaaa;
  return (((backslashes << 1) | oddBits) - backslashes) ^ oddBits;
}

/** The next newline from here on, or the limit. */
export function findNewline(p: usize, limit: usize): usize {
  const wanted = i8x16.splat(NEWLINE);
  while (p < limit) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
    if (mask) return min(p + <usize>ctz(mask), limit);
    p += 16;
  }
  return limit;
}

/** Reads beyond both, hence only for bytes in buffers with slack. */
// @ts-ignore: decorator
@inline
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + at), v128.load(b + at)));
    if (<usize>ctz(~same) < min(<usize>16, length - at)) return false;
  }
  return true;
}

/** Mixes length, first and last bytes. The tables' fields are hashed by the same function. */
// @ts-ignore: decorator
@inline
export function hash(p: usize, length: usize): u32 {
  let first: u64;
  let last: u64;
  if (length >= 8) {
    first = load<u64>(p);
    last = load<u64>(p + length - 8);
  } else {
    first = load<u64>(p) & ((<u64>1 << (<u64>length << 3)) - 1);
    last = 0;
  }
  const mixed = (first + <u64>length) * 0x9e3779b97f4a7c15 + last * 0xc2b2ae3d27d4eb4f;
  return <u32>((mixed ^ (mixed >> 29)) >> 32);
}
