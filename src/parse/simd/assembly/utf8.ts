/** Validation of UTF-8, sixteen bytes at a time (the lookup algorithm of Keiser and Lemire) and one by one. */

const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUATIONS: u8 = 1 << 7;
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;
const LARGE: u8 = CARRY | TOO_LARGE | TOO_LARGE_1000;
const TOO_LONG_ANY: u8 = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;

/** Not zero where a byte does not fit those before it. */
@inline
export function misfits(v: v128, before: v128): v128 {
  const one = i8x16.shuffle(before, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  const two = i8x16.shuffle(before, v, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  const three = i8x16.shuffle(before, v, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
  const firstHigh = i8x16.swizzle(
    i8x16(
      TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
      TWO_CONTINUATIONS, TWO_CONTINUATIONS, TWO_CONTINUATIONS, TWO_CONTINUATIONS,
      TOO_SHORT | OVERLONG_2,
      TOO_SHORT,
      TOO_SHORT | OVERLONG_3 | SURROGATE,
      TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
    ),
    i8x16.shr_u(one, 4),
  );
  const firstLow = i8x16.swizzle(
    i8x16(
      CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
      CARRY | OVERLONG_2,
      CARRY, CARRY,
      CARRY | TOO_LARGE,
      LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE,
      LARGE | SURROGATE,
      LARGE, LARGE,
    ),
    v128.and(one, i8x16.splat(15)),
  );
  const secondHigh = i8x16.swizzle(
    i8x16(
      TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
      TOO_LONG_ANY | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
      TOO_LONG_ANY | OVERLONG_3 | TOO_LARGE,
      TOO_LONG_ANY | SURROGATE | TOO_LARGE, TOO_LONG_ANY | SURROGATE | TOO_LARGE,
      TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    ),
    i8x16.shr_u(v, 4),
  );
  const pairs = v128.and(v128.and(firstHigh, firstLow), secondHigh);
  // The third byte of three and the third and fourth of four must be continuations; nothing else may be a second one.
  const thirdOrFourth = v128.and(
    v128.or(i8x16.sub_sat_u(two, i8x16.splat(<i8>(0xe0 - 0x80))), i8x16.sub_sat_u(three, i8x16.splat(<i8>(0xf0 - 0x80)))),
    i8x16.splat(<i8>0x80),
  );
  return v128.xor(pairs, thirdOrFourth);
}

export let utf8Failed: bool = false;
/** Bytes of the run beyond one for each UTF-16 unit. */
export let extraBytes: i64 = 0;

/**
 * Passes a run of text that begins with a whole character, as far as whole vectors reach: stops at a quote, a backslash,
 * a control character, a stretch of ASCII, or a few bytes before the limit, always between two characters.
 */
export function utf8Run(start: usize, limit: usize): usize {
  utf8Failed = false;
  extraBytes = 0;
  let p = start;
  let before = i8x16.splat(0);
  while (p + 16 <= limit) {
    const v = v128.load(p);
    const ascii = !v128.any_true(v128.and(v, i8x16.splat(<i8>0x80)));
    if (ascii && wholeBefore(p) == p) return p;
    const errors = i8x16.bitmask(i8x16.ne(misfits(v, before), i8x16.splat(0)));
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
        i8x16.lt_u(v, i8x16.splat(0x20)),
      ),
    );
    // All bytes up to the stop, which itself shows whether the character before it is whole.
    const seen = stops ? (2 << ctz(stops)) - 1 : 0xffff;
    if (errors & seen) {
      utf8Failed = true;
      return p;
    }
    extraBytes += popcnt(i8x16.bitmask(i8x16.lt_s(v, i8x16.splat(-64))) & seen);
    extraBytes -= popcnt(i8x16.bitmask(i8x16.ge_u(v, i8x16.splat(<i8>0xf0))) & seen);
    if (stops) return p + ctz(stops);
    before = v;
    p += 16;
  }
  const whole = wholeBefore(p);
  extraBytes -= surplusOf(whole, p);
  return whole;
}

/** Bytes of a few beyond one for each UTF-16 unit. */
export function surplusOf(start: usize, end: usize): i32 {
  let surplus = 0;
  for (let p = start; p < end; p++) {
    const byte = load<u8>(p);
    if (byte >= 0xf0) surplus--;
    else if (byte >= 0x80 && byte < 0xc0) surplus++;
  }
  return surplus;
}

/** The end of the last whole character before this place, in text that is valid so far. Before the input are zeros. */
@inline
export function wholeBefore(p: usize): usize {
  if (load<u8>(p - 1) >= 0xc0) return p - 1;
  if (load<u8>(p - 2) >= 0xe0) return p - 2;
  if (load<u8>(p - 3) >= 0xf0) return p - 3;
  return p;
}

// ── one byte at a time, for the ends of the input ──

/** How many bytes are missing in a character, and which the next one may be. */
let missing: i32 = 0;
let lowest: u8 = 0x80;
let highest: u8 = 0xbf;
/** The code point so far. */
export let codePoint: u32 = 0;

/** Takes the first byte of a character of several bytes. */
export function beginCharacter(byte: u8): bool {
  lowest = 0x80;
  highest = 0xbf;
  if (byte < 0xc2 || byte > 0xf4) return false;
  if (byte < 0xe0) {
    missing = 1;
    codePoint = byte & 0x1f;
  } else if (byte < 0xf0) {
    missing = 2;
    codePoint = byte & 0x0f;
    if (byte == 0xe0) lowest = 0xa0;
    if (byte == 0xed) highest = 0x9f;
  } else {
    missing = 3;
    codePoint = byte & 0x07;
    if (byte == 0xf0) lowest = 0x90;
    if (byte == 0xf4) highest = 0x8f;
  }
  return true;
}

export function continueCharacter(byte: u8): bool {
  if (byte < lowest || byte > highest) return false;
  lowest = 0x80;
  highest = 0xbf;
  codePoint = (codePoint << 6) | (byte & 0x3f);
  missing--;
  return true;
}

export function characterIsWhole(): bool {
  return missing == 0;
}
