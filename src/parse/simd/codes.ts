/** What the scanner (AssemblyScript) and the walker (TypeScript) say to each other; both compile this file. */

/**
 * One entry of the tape: 16 bytes, `[code | field << 8, a, b, c]` or `[code | field << 8, a, number]`. The field says
 * which declared member the value belongs to; 0 means an element, the record itself, or the member named by `Key`.
 */
// biome-ignore lint/suspicious/noConstEnum: inlined by both compilers, which makes the walker's switch a jump table
export const enum Op {
  Null = 0,
  False = 1,
  True = 2,
  /** number */
  Number = 3,
  /** a, b: where the digits of a number are that only `Number()` can round correctly */
  NumberText = 4,
  /** number: UTF-16 units */
  Length = 5,
  /** a: slot of the string cache */
  CachedString = 6,
  /** a, b: bytes; c: slot of the string cache to fill with it */
  StringToCache = 7,
  /** a, b: bytes; c: Encoding. Ends a string, whose earlier parts may have come as `Piece`. */
  String = 8,
  /** like String, for a folded one; field as usual, c: Encoding | node << 2 */
  FoldedString = 9,
  /** a, b: bytes; c: Encoding */
  Piece = 10,
  /** like Piece; c: Encoding | node << 2 */
  FoldedPiece = 11,
  /** a, b: bytes; c: Encoding. The name of the next value. */
  Key = 12,
  /** A string or key longer than allowed. */
  Cut = 13,
  OpenObject = 14,
  /** a: node */
  OpenArray = 15,
  Close = 16,
  /** A key in an object that has handed over items; a: index; second entry: line, line start */
  CheckKey = 17,
  /** a: index; number: bytes of the line if nothing ends it, else 0; second entry: line, line start */
  Record = 18,
  /** a: index; b: Problem | found byte << 8; second entry: line, line start; third: column */
  Bad = 19,
  Blank = 20,
  /** a: index; number: bytes of the line; second entry: line, line start */
  Tail = 21,
}

// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Encoding {
  Ascii = 0,
  Utf8 = 1,
  /** UTF-8 with lone surrogates, which a `\u` escape may spell. */
  LoneSurrogates = 2,
}

// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Framing {
  Lines = 0,
  Elements = 1,
  Documents = 2,
}

// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Problem {
  Utf8 = 0,
  Value = 1,
  ElementOrEnd = 2,
  KeyOrEnd = 3,
  Key = 4,
  Colon = 5,
  CommaOrBracket = 6,
  CommaOrBrace = 7,
  EndOfLine = 8,
  ControlCharacter = 9,
  Escape = 10,
  HexDigit = 11,
  Digit = 12,
  Literal = 13,
  Array = 14,
}

/** Layout of the shape tables, in 32-bit words. Node 0 means that nobody wants the value. */
// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Node {
  /** Address of the buckets of its fields, 0 without fields. */
  Buckets = 0,
  /** Number of buckets, a power of two, less one. */
  BucketMask = 1,
  /** Node of the other members. */
  Entries = 2,
  /** Node of the elements. */
  Items = 3,
  /** How strings are taken. */
  Text = 4,
  /** 1: elements are handed over as they complete. */
  Streamed = 5,
  Words = 8,
}

// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Field {
  KeyAddress = 0,
  KeyLength = 1,
  Node = 2,
  /** Its number on the tape; 0 to have the name on the tape as well. */
  Id = 3,
  /** Address of the next field in the same bucket, or 0. */
  Next = 4,
  Words = 8,
}

// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Text {
  Keep = 0,
  Measure = 1,
  Fold = 2,
}

/** How a call of the scanner ended. */
// biome-ignore lint/suspicious/noConstEnum: see above
export const enum Outcome {
  /** All input is read. */
  Read = 0,
  /** The tape is full: walk it and call again. */
  TapeFull = 1,
}
