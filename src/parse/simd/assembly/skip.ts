/** Past text that nobody wants to read, with bit masks of 64 bytes. */
import { BACKSLASH, QUOTE } from './bytes';
import { misfits, surplusOf, wholeBefore } from './utf8';

@inline
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>i8x16.bitmask(a) | (<u64>i8x16.bitmask(b) << 16) | (<u64>i8x16.bitmask(c) << 32) | (<u64>i8x16.bitmask(d) << 48)
  );
}

@inline
function equalBits(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const wanted = i8x16.splat(byte);
  return bits(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted));
}

/** The letters of most escapes: the table has one for each lower half of a byte, and none that equals a zero byte. */
@inline
function escapeLetter(v: v128): v128 {
  const letters = i8x16(1, 0, 0x72, 0, 0x74, 0, 0x66, 0, 0, 0, 0, 0, 0, 0, 0x6e, 0x2f);
  return i8x16.eq(v, i8x16.swizzle(letters, v128.and(v, i8x16.splat(15))));
}

/**
 * A bit for each backslash that begins an escape, and for the byte after each run of backslashes of odd length. (From
 * simdjson: the subtraction carries through each run, which tells runs that begin on odd and on even bits apart.)
 */
@inline
function escapesAndEnds(backslashes: u64): u64 {
  const oddBits: u64 = 0xaaaaaaaaaaaaaaaa;
  return (((backslashes << 1) | oddBits) - backslashes) ^ oddBits;
}

/** Bytes that `skipText` has passed beyond one for each UTF-16 unit. */
export let surplus: i64 = 0;

/**
 * Passes valid text and most escapes of two characters. Stops at the quote that ends the string, at a control character,
 * at another escape, or at a character that is broken or not whole. No branch for each escape or character: text full
 * of `\n`, `\"` and umlauts streams by as well.
 */
export function skipText(p: usize, measuring: bool): usize {
  surplus = 0;
  /** The last block has ended inside a character. */
  let open = false;
  while (true) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const quotes = equalBits(a, b, c, d, QUOTE);
    const backslashes = equalBits(a, b, c, d, BACKSLASH);
    let stops = quotes;
    const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
    if (v128.any_true(i8x16.lt_u(least, i8x16.splat(0x20)))) stops |= controlBits(p);
    let escaped: u64 = 0;
    let passed: usize = 64;
    if (backslashes) {
      const codes = escapesAndEnds(backslashes);
      escaped = codes ^ backslashes;
      const letters = bits(escapeLetter(a), escapeLetter(b), escapeLetter(c), escapeLetter(d));
      stops = (stops & ~escaped) | ((escaped & ~(letters | quotes | backslashes)) >> 1);
      // An escape that begins with the last byte is looked at again from there.
      passed -= <usize>((codes & backslashes) >> 63);
    }
    const beyondAscii = i8x16.bitmask(v128.or(v128.or(a, b), v128.or(c, d))) != 0;
    if (beyondAscii || open) {
      // What is before this block was validated with the one before, so a character may begin there and end here.
      const inA = misfits(a, v128.load(p - 16));
      const inB = misfits(b, a);
      const inC = misfits(c, b);
      const inD = misfits(d, c);
      if (v128.any_true(v128.or(v128.or(inA, inB), v128.or(inC, inD)))) {
        const broken = bits(notZero(inA), notZero(inB), notZero(inC), notZero(inD)) & upTo(stops);
        if (broken) {
          const whole = wholeBefore(p + <usize>ctz(broken));
          if (!measuring) return whole;
          if (whole >= p) surplus += surplusIn(p, escaped, whole - p);
          else surplus -= surplusOf(whole, p);
          return whole;
        }
      }
    }
    if (stops) {
      const first = <usize>ctz(stops);
      if (measuring) surplus += surplusIn(p, escaped, first);
      return p + first;
    }
    if (measuring) surplus += surplusIn(p, escaped, passed);
    p += passed;
    open = beyondAscii && wholeBefore(p) != p;
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

/** All bits up to the first one, and that. */
@inline
function upTo(stops: u64): u64 {
  return stops ^ (stops - 1);
}

@inline
function notZero(v: v128): v128 {
  return i8x16.ne(v, i8x16.splat(0));
}

/** In the first bytes of a block. */
function surplusIn(p: usize, escaped: u64, length: usize): i64 {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  const c = v128.load(p, 32);
  const d = v128.load(p, 48);
  const seen: u64 = length >= 64 ? u64.MAX_VALUE : (<u64>1 << length) - 1;
  const lead = i8x16.splat(-64);
  const four = i8x16.splat(<i8>0xf0);
  const continuations = bits(i8x16.lt_s(a, lead), i8x16.lt_s(b, lead), i8x16.lt_s(c, lead), i8x16.lt_s(d, lead));
  const leadsOfFour = bits(i8x16.ge_u(a, four), i8x16.ge_u(b, four), i8x16.ge_u(c, four), i8x16.ge_u(d, four));
  return <i64>popcnt((escaped | continuations) & seen) - <i64>popcnt(leadsOfFour & seen);
}
