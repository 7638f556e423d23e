/** Strings and keys: passed, measured, or copied out decoded; they may be interrupted at any byte. */
import {
  ENCODING_ASCII,
  ENCODING_LONE_SURROGATES,
  ENCODING_UTF8,
  OP_FOLDED_PIECE,
  OP_PIECE,
  PROBLEM_CONTROL_CHARACTER,
  PROBLEM_ESCAPE,
  PROBLEM_HEX_DIGIT,
  PROBLEM_UTF8,
} from '../codes';
import { BACKSLASH, plainEnd, QUOTE } from './bytes';
import { arenaStart, PIECE_SIZE, write } from './layout';
import { skipText, surplusOfText } from './skip';
import { beginCharacter, characterIsWhole, codePoint, continueCharacter, extraBytes, utf8Failed, utf8Run } from './utf8';

export const enum Step {
  Done,
  /** The input has ended inside. */
  More,
  Failed,
}

/** How the last step ended, and if it failed, why. */
export let step: Step = Step.Done;
export let problem: i32 = PROBLEM_UTF8;

/** Where inside a string the input has ended. */
const enum Place {
  Plain,
  Escape,
  Hex,
  Character,
}

let place: Place = Place.Plain;
let hexDigits: i32 = 0;
let hexValue: u32 = 0;

/** UTF-16 units so far, if they are counted. */
export let units: i64 = 0;
let measuring: bool = false;

// What is copied lies at the end of the arena.
let arena: usize = arenaStart;
let copying: bool = false;
let room: u32 = 0;
/** An escaped high surrogate, which may yet become a pair. */
let highSurrogate: u32 = 0;
/** Node of the fold that takes the text, if one does. */
let foldNode: u32 = 0;
let discarded: bool = false;
/** The current string is, or was until it was cut, copied. */
let held: bool = false;

export let textStart: usize = arenaStart;
export let encoding: i32 = ENCODING_ASCII;
export let wasCut: bool = false;
/** An earlier part of the text has left the arena. */
export let inPieces: bool = false;

export function textLength(): usize {
  return arena - textStart;
}

export function beginPassed(isMeasured: bool): void {
  place = Place.Plain;
  measuring = isMeasured;
  units = 0;
  copying = false;
  held = false;
  wasCut = false;
  highSurrogate = 0;
}

/** `discard`: nobody will look at more of it than a part of the arena's size. */
export function beginCopied(limitBytes: u32, fold: u32, discard: bool): void {
  beginPassed(false);
  copying = true;
  held = true;
  room = limitBytes;
  foldNode = fold;
  discarded = discard;
  encoding = ENCODING_ASCII;
  inPieces = false;
  textStart = arena;
}

/** Called before the tape is walked: a text that grows long is handed over piece by piece. */
export function handOverLongText(): void {
  const length = textLength();
  if (!held || length < PIECE_SIZE) return;
  inPieces = true;
  if (!discarded) {
    if (foldNode) write(OP_FOLDED_PIECE, 0, textStart, length, encoding | (foldNode << 2));
    else write(OP_PIECE, 0, textStart, length, encoding);
  }
  if (foldNode) room = u32.MAX_VALUE;
  textStart = arena;
  // Each piece has its own encoding; a lone surrogate never joins another one over a border.
  encoding = ENCODING_ASCII;
}

/** Called when the tape has been walked: what lies before an unfinished text is free again. */
export function compactArena(inString: bool): void {
  const length = inString && held ? textLength() : 0;
  if (length) memory.copy(arenaStart, textStart, length);
  textStart = arenaStart;
  arena = arenaStart + length;
}

/** Room for other things that the tape points to. */
export function arenaPut(byte: u8): void {
  store<u8>(arena++, byte);
}
export function arenaEnd(): usize {
  return arena;
}

/** Goes on inside a string; returns the place after its closing quote, or where it stopped. */
export function goOn(p: usize, limit: usize): usize {
  switch (place) {
    case Place.Escape:
      p = escape(p, limit);
      if (step != Step.Done) return p;
      break;
    case Place.Hex:
      p = hex(p, limit);
      if (step != Step.Done) return p;
      break;
    case Place.Character:
      p = character(p, limit);
      if (step != Step.Done) return p;
      break;
  }
  return body(p, limit);
}

function body(p: usize, limit: usize): usize {
  while (true) {
    const start = p;
    if (copying) {
      p = plainEnd(p);
      if (p > start) copy(start, p);
    } else {
      p = skipText(p);
      if (measuring) units -= surplusOfText(start, p);
    }
    units += p - start;
    const byte = load<u8>(p);
    if (byte == QUOTE) {
      if (highSurrogate) copyLoneSurrogate();
      step = Step.Done;
      return p + 1;
    }
    if (byte == BACKSLASH) {
      // Escapes come in runs, in some languages.
      do {
        p = escape(p + 1, limit);
        if (step != Step.Done) return p;
      } while (load<u8>(p) == BACKSLASH);
    } else if (byte >= 0x80) {
      const from = p;
      if (copying) {
        p = utf8Run(p, limit);
        if (utf8Failed) return fail(p, PROBLEM_UTF8);
        if (encoding == ENCODING_ASCII) encoding = ENCODING_UTF8;
        units += <i64>(p - from) - extraBytes;
        copy(from, p);
      }
      if (p == from) {
        // Not whole in this input, or broken.
        if (!beginCharacter(byte)) return fail(p, PROBLEM_UTF8);
        p = character(p + 1, limit);
        if (step != Step.Done) return p;
      }
    } else if (p == limit) {
      place = Place.Plain;
      step = Step.More;
      return p;
    } else return fail(p, PROBLEM_CONTROL_CHARACTER);
  }
}

function fail(p: usize, why: i32): usize {
  step = Step.Failed;
  problem = why;
  return p;
}

function character(p: usize, limit: usize): usize {
  while (!characterIsWhole()) {
    if (p == limit) {
      place = Place.Character;
      step = Step.More;
      return p;
    }
    if (!continueCharacter(load<u8>(p))) return fail(p, PROBLEM_UTF8);
    p++;
  }
  units += codePoint < 0x10000 ? 1 : 2;
  if (copying) copyCharacter(codePoint);
  step = Step.Done;
  return p;
}

/** The input ended within a character of several bytes. */
export function insideCharacter(): bool {
  return place == Place.Character;
}

/** From the byte after the backslash. */
function escape(p: usize, limit: usize): usize {
  let unescaped: u32;
  switch (load<u8>(p)) {
    case 0x6e: // n
      unescaped = 0x0a;
      break;
    case 0x22:
    case 0x5c:
    case 0x2f:
      unescaped = load<u8>(p);
      break;
    case 0x74: // t
      unescaped = 0x09;
      break;
    case 0x72: // r
      unescaped = 0x0d;
      break;
    case 0x62: // b
      unescaped = 0x08;
      break;
    case 0x66: // f
      unescaped = 0x0c;
      break;
    case 0x75: // u
      hexDigits = 0;
      hexValue = 0;
      return hex(p + 1, limit);
    default:
      if (p == limit) {
        place = Place.Escape;
        step = Step.More;
        return p;
      }
      return fail(p, PROBLEM_ESCAPE);
  }
  units++;
  if (copying) copyCharacter(unescaped);
  step = Step.Done;
  return p + 1;
}

function hex(p: usize, limit: usize): usize {
  if (hexDigits == 0) {
    const all = (hexDigit(load<u8>(p)) << 12) | (hexDigit(load<u8>(p, 1)) << 8) | (hexDigit(load<u8>(p, 2)) << 4) | hexDigit(load<u8>(p, 3));
    if (all >= 0) {
      units++;
      if (copying) copyUnit(all);
      step = Step.Done;
      return p + 4;
    }
  }
  while (hexDigits < 4) {
    const digit = hexDigit(load<u8>(p));
    if (digit < 0) {
      if (p < limit) return fail(p, PROBLEM_HEX_DIGIT);
      place = Place.Hex;
      step = Step.More;
      return p;
    }
    hexValue = (hexValue << 4) | digit;
    hexDigits++;
    p++;
  }
  units++;
  if (copying) copyUnit(hexValue);
  step = Step.Done;
  return p;
}

@inline
function hexDigit(byte: u32): i32 {
  const digit = byte - 0x30;
  if (digit <= 9) return digit;
  const letter = (byte | 0x20) - 0x61;
  return letter <= 5 ? letter + 10 : -1;
}

// ── copying ──

/** Text as it stands, of whole characters. */
function copy(start: usize, end: usize): void {
  if (highSurrogate) {
    copyLoneSurrogate();
    if (!copying) return;
  }
  let length = <u32>(end - start);
  if (length > room) {
    length = room;
    while (length > 0 && (load<u8>(start + length) & 0xc0) == 0x80) length--;
    cut();
  }
  if (length > 256) memory.copy(arena, start, length);
  // Beyond the end there is room, and nothing yet.
  else for (let at: u32 = 0; at < length; at += 16) v128.store(arena + at, v128.load(start + at));
  arena += length;
  room -= length;
}

function cut(): void {
  wasCut = true;
  copying = false;
  highSurrogate = 0;
}

/** One UTF-16 unit that was spelled as an escape. */
function copyUnit(unit: u32): void {
  if ((unit & 0xfc00) == 0xd800) {
    if (highSurrogate) copyLoneSurrogate();
    if (copying) highSurrogate = unit;
  } else if ((unit & 0xfc00) == 0xdc00) {
    if (highSurrogate) {
      const point = 0x10000 + ((highSurrogate - 0xd800) << 10) + (unit - 0xdc00);
      highSurrogate = 0;
      copyPoint(point);
    } else {
      encoding = ENCODING_LONE_SURROGATES;
      copyPoint(unit);
    }
  } else copyCharacter(unit);
}

function copyCharacter(point: u32): void {
  if (highSurrogate) copyLoneSurrogate();
  if (copying) copyPoint(point);
}

function copyLoneSurrogate(): void {
  const unit = highSurrogate;
  highSurrogate = 0;
  encoding = ENCODING_LONE_SURROGATES;
  copyPoint(unit);
}

function copyPoint(point: u32): void {
  const length: u32 = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  if (length > room) {
    cut();
    return;
  }
  room -= length;
  if (length == 1) {
    store<u8>(arena++, <u8>point);
    return;
  }
  if (encoding == ENCODING_ASCII) encoding = ENCODING_UTF8;
  if (length == 2) store<u8>(arena, <u8>(0xc0 | (point >> 6)));
  else {
    if (length == 3) store<u8>(arena, <u8>(0xe0 | (point >> 12)));
    else {
      store<u8>(arena++, <u8>(0xf0 | (point >> 18)));
      store<u8>(arena, <u8>(0x80 | ((point >> 12) & 0x3f)));
    }
    store<u8>(++arena, <u8>(0x80 | ((point >> 6) & 0x3f)));
  }
  store<u8>(arena + 1, <u8>(0x80 | (point & 0x3f)));
  arena += 2;
}
