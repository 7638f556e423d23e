/** Past text that nobody wants to read, with bit masks of 64 bytes. */
import { BACKSLASH, QUOTE } from './bytes';
import { misfits, surplusOf, wholeBefore } from './utf8';

@inline
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a)) |
    (<u64>(<u32>i8x16.bitmask(b)) << 16) |
    (<u64>(<u32>i8x16.bitmask(c)) << 32) |
    (<u64>(<u32>i8x16.bitmask(d)) << 48)
  );
}

@inline
function equalBits(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const wanted = i8x16.splat(byte);
  return bits(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted));
}

/** The letters of most escapes: one for each lower half of a byte, and none that equals a zero byte. */
const LETTERS = memory.data<u8>([1, 0, 0x72, 0, 0x74, 0, 0x66, 0, 0, 0, 0, 0, 0, 0, 0x6e, 0x2f]);

@inline
function escapeLetter(v: v128, letters: v128): v128 {
  return i8x16.eq(v, i8x16.swizzle(letters, v128.and(v, i8x16.splat(15))));
}

const ODD_BITS: u64 = 0xaaaaaaaaaaaaaaaa;

/**
 * A bit for each backslash that begins an escape, and for the byte after each run of backslashes of odd length. (From
 * simdjson: the subtraction carries through each run, which tells runs that begin on odd and on even bits apart.)
 */
@inline
function escapesAndEnds(backslashes: u64): u64 {
  return (((backslashes << 1) | ODD_BITS) - backslashes) ^ ODD_BITS;
}

/**
 * Passes valid text and most escapes of two characters. Stops at the quote that ends the string, at a control character,
 * at another escape, or at a character that is broken or not whole. No branch for each escape: text full of `\n` and
 * `\"` streams by as well. Where the next block lies does not depend on what is in this one, so that the processor can
 * work on several at once.
 */
export function skipText(p: usize): usize {
  /** The last block has ended with a backslash that begins an escape. */
  let firstIsEscaped: u64 = 0;
  while (true) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const quotes = equalBits(a, b, c, d, QUOTE);
    const backslashes = equalBits(a, b, c, d, BACKSLASH);
    let ends = quotes;
    /** Escaped bytes that make no escape of two characters. */
    let others: u64 = 0;
    if (backslashes | firstIsEscaped) {
      const codes = escapesAndEnds(backslashes & ~firstIsEscaped);
      const escaped = codes ^ (backslashes | firstIsEscaped);
      firstIsEscaped = (codes & backslashes) >> 63;
      const table = v128.load(LETTERS);
      const letters = bits(escapeLetter(a, table), escapeLetter(b, table), escapeLetter(c, table), escapeLetter(d, table));
      others = escaped & ~(letters | quotes | backslashes);
      ends = (quotes & ~escaped) | others;
    }
    let next = p + 64;
    // As signed numbers, control characters and the bytes of non-ASCII characters are both below a space.
    const least = i8x16.min_s(i8x16.min_s(a, b), i8x16.min_s(c, d));
    if (v128.any_true(i8x16.lt_s(least, i8x16.splat(0x20)))) {
      ends |= controlBits(p);
      if (i8x16.bitmask(least)) {
        const broken = brokenBits(p) & upTo(ends) & ~others;
        if (broken) return wholeBefore(p + <usize>ctz(broken));
        // A character that ends in the next block is looked at again there.
        next = wholeBefore(next);
      }
    }
    if (ends) {
      const first = ctz(ends);
      // An escape begins with its backslash.
      return p + <usize>first - <usize>((others >> first) & 1);
    }
    p = next;
  }
}

/** The control characters of a block. */
function controlBits(p: usize): u64 {
  const space = i8x16.splat(0x20);
  return bits(
    i8x16.lt_u(v128.load(p), space),
    i8x16.lt_u(v128.load(p, 16), space),
    i8x16.lt_u(v128.load(p, 32), space),
    i8x16.lt_u(v128.load(p, 48), space),
  );
}

/** The bytes of a block that do not fit those before them, where a character may have begun. */
function brokenBits(p: usize): u64 {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  const c = v128.load(p, 32);
  const d = v128.load(p, 48);
  const inA = misfits(a, v128.load(p - 16));
  const inB = misfits(b, a);
  const inC = misfits(c, b);
  const inD = misfits(d, c);
  if (!v128.any_true(v128.or(v128.or(inA, inB), v128.or(inC, inD)))) return 0;
  return bits(notZero(inA), notZero(inB), notZero(inC), notZero(inD));
}

/** All bits up to the first one, and that. */
@inline
function upTo(stops: u64): u64 {
  return stops ^ (stops - 1);
}

@inline
function notZero(v: v128): v128 {
  return i8x16.ne(v, i8x16.splat(0));
}

/** Bytes beyond one for each UTF-16 unit, in text that `skipText` has passed. */
export function surplusOfText(start: usize, end: usize): i64 {
  let surplus: i64 = 0;
  for (let p = start; p < end; ) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const backslashes = equalBits(a, b, c, d, BACKSLASH);
    const codes = escapesAndEnds(backslashes);
    const length = min<usize>(64 - <usize>((codes & backslashes) >> 63), end - p);
    const seen: u64 = length == 64 ? u64.MAX_VALUE : (<u64>1 << length) - 1;
    const lead = i8x16.splat(-64);
    const four = i8x16.splat(<i8>0xf0);
    const continuations = bits(i8x16.lt_s(a, lead), i8x16.lt_s(b, lead), i8x16.lt_s(c, lead), i8x16.lt_s(d, lead));
    const leadsOfFour = bits(i8x16.ge_u(a, four), i8x16.ge_u(b, four), i8x16.ge_u(c, four), i8x16.ge_u(d, four));
    surplus += <i64>popcnt(((codes ^ backslashes) | continuations) & seen) - <i64>popcnt(leadsOfFour & seen);
    p += length;
  }
  return surplus;
}
