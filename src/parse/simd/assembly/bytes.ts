/** Sixteen and sixty-four bytes at a time. */

export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const NEWLINE: u8 = 0x0a;

@inline
function special(v: v128): v128 {
  // As signed numbers, control characters and the bytes of non-ASCII characters are both below a space.
  return v128.or(
    v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
    i8x16.lt_s(v, i8x16.splat(0x20)),
  );
}

/** One bit for each of 16 bytes that cannot stand in a plain run: quote, backslash, control, non-ASCII. */
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
@inline
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + at), v128.load(b + at)));
    if (<usize>ctz(~same) < min(<usize>16, length - at)) return false;
  }
  return true;
}

/** Mixes length, first and last bytes. The tables' fields are hashed by the same function. */
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
