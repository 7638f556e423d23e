/**
 * The grammar of JSON as a pushdown automaton that follows a shape. It can stop at any byte: what it is in the middle of
 * is in `state`, and in the modules for strings and numbers.
 */
import { Encoding, Field, Framing, Node, Op, Outcome, Problem, Text } from '../codes';
import { findNewline, hash, NEWLINE, QUOTE, skipPlain, specialMask } from './bytes';
import {
  DATA_END,
  INPUT_SIZE,
  inputStart,
  reach,
  rewindTape,
  tablesStart,
  tape,
  tapeLimit,
  tapeStart,
  write,
  writeNumber,
  writeNumbers,
} from './layout';
import { beginNumber, goOnNumber, numberIsWhole, numberStep, respellNumber } from './number';
import { cacheHit, cacheSlot, fieldWord, findField, LONGEST_CACHED, nodeWord } from './shape';
import {
  arenaEnd,
  beginCopied,
  beginPassed,
  compactArena,
  encoding,
  goOn,
  handOverLongText,
  inPieces,
  insideCharacter,
  problem,
  Step,
  step,
  textLength,
  textStart,
  units,
  wasCut,
} from './text';

const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const OPEN_BRACKET: u8 = 0x5b;
const CLOSE_BRACKET: u8 = 0x5d;
const OPEN_BRACE: u8 = 0x7b;
const CLOSE_BRACE: u8 = 0x7d;

const enum State {
  // What comes next, after white space:
  Start,
  Value,
  ElementOrEnd,
  KeyOrEnd,
  Key,
  Colon,
  AfterElement,
  AfterMember,
  End,
  // Inside of something:
  InKey,
  InString,
  InNumber,
  InLiteral,
  /** Before the first byte of a line or of the input, where a byte-order mark may stand. */
  Fresh,
  InByteOrderMark,
  /** Right after a literal that is a document. */
  AfterLiteral,
  /** Nothing counts before the next line. */
  BadLine,
  Stopped,
}

/** What the current value is in. */
const enum Inside {
  Object,
  Array,
  StreamedArray,
  /** The outer array of `elements`. */
  Records,
  Nothing,
}

// ── options ──
let framing: Framing = Framing.Lines;
let maxBytes: u32 = 0;
let rootNode: u32 = 0;
/** Node of the outer array of `elements`. */
let recordsNode: u32 = 0;

// ── place ──
let offset: f64 = 0;
let line: f64 = 1;
let lineStart: f64 = 0;
let index: u32 = 0;

let state: State = State.Fresh;
let position: usize = inputStart;
let byteOrderMarkSeen: i32 = 0;

// ── the current container ──
let inside: Inside = Inside.Nothing;
let node: u32 = 0;
/** An item has been handed over from within it. */
let handed: u32 = 0;
/** Depth below the last container that is wanted. */
let skipped: u32 = 0;
/** Kinds of the containers around a skipped one, as bits; older ones are on the stack. */
let skippedKinds: u64 = 0;
let insideBeforeSkipped: Inside = Inside.Nothing;

// ── the next value ──
/** Its node, or 0 if nobody wants it. */
let want: u32 = 0;
/** The member that it is, for the tape. */
let field: u32 = 0;

// ── the stack ──
let stackStart: usize = 0;
let stack: usize = 0;
let stackLimit: usize = 0;

// ── a literal over the border of two inputs ──
let literal: Op = Op.Null;
let literalAt: i32 = 0;

// ── the problem of a bad line, until the line ends ──
let badProblem: Problem = Problem.Value;
let badByte: u32 = 0;
let badColumn: f64 = 0;

/** Where the host puts the input. */
export function inputAddress(): usize {
  return inputStart;
}

export function inputSize(): usize {
  return INPUT_SIZE;
}

/** For the host, which sorts the fields into buckets. */
export function hashOf(key: usize, length: usize): u32 {
  return hash(key, length);
}

export function tapeAddress(): usize {
  return tapeStart;
}

/** Where the host puts the shape tables. */
export function tablesAddress(size: usize): usize {
  if (<usize>__heap_base > DATA_END) unreachable();
  stackStart = (tablesStart + size + 64 + 7) & ~7;
  stackLimit = stackStart + 1024;
  reach(stackLimit);
  return tablesStart;
}

export function begin(framingCode: i32, root: u32, records: u32, maxValueBytes: u32, firstLine: f64, firstOffset: f64): void {
  framing = framingCode;
  rootNode = root;
  recordsNode = records;
  maxBytes = maxValueBytes;
  line = firstLine;
  offset = firstOffset;
  lineStart = firstOffset;
  index = 0;
  state = State.Fresh;
  byteOrderMarkSeen = 0;
  resetContainers();
}

function resetContainers(): void {
  stack = stackStart;
  inside = Inside.Nothing;
  node = 0;
  handed = 0;
  skipped = 0;
  want = rootNode;
  field = 0;
}

/** The host has put this many bytes of input. */
export function feed(length: u32): void {
  position = inputStart;
  // Ends every run: in no state does a zero byte belong to anything.
  store<u64>(inputStart + length, 0);
}

/** After `run` has read all input. */
export function advance(length: u32): void {
  offset += length;
}

/** The place of this byte, or of the one before it, in the whole input. */
// @ts-ignore: decorator
@inline
function offsetOf(p: usize): f64 {
  return offset + <f64>(p - inputStart);
}

/** Reads on until the input ends or the tape is full; returns an Outcome, with the tape's end above it. */
export function run(length: u32): u32 {
  rewindTape();
  compactArena(state == State.InKey || state == State.InString);
  const outcome = scan(inputStart + length);
  if (state == State.InKey || state == State.InString) handOverLongText();
  return outcome;
}

export function tapeEnd(): usize {
  return tape;
}

function scan(limit: usize): Outcome {
  let p = position;
  while (tape < tapeLimit) {
    if (state > State.End) {
      p = resume(p, limit);
      if (p == limit && suspended) {
        position = p;
        return Outcome.Read;
      }
      continue;
    }
    let byte = load<u8>(p);
    if (byte <= 0x20) {
      p = skipSpace(p);
      byte = load<u8>(p);
      if (byte <= 0x20) {
        if (p == limit) {
          position = p;
          return Outcome.Read;
        }
        if (byte == NEWLINE) {
          endLine(p);
          p++;
          continue;
        }
        fail(p, expectedProblem());
        continue;
      }
    }
    // Compact JSON takes one turn for each member or element: the cases run on into the next token if it is there.
    switch (state) {
      case State.KeyOrEnd:
      case State.Key:
      case State.AfterMember:
        if (state == State.AfterMember && byte == COMMA) {
          byte = load<u8>(++p);
          if (byte != QUOTE) {
            state = State.Key;
            break;
          }
        } else if (state != State.Key && byte == CLOSE_BRACE) {
          p++;
          close();
          break;
        } else if (state == State.AfterMember || byte != QUOTE) {
          fail(p, expectedProblem());
          break;
        }
        p = takeKey(p + 1, limit);
        if (state != State.Colon) break;
        byte = load<u8>(p);
      // falls through
      case State.Colon:
        if (byte != COLON) {
          // White space, perhaps.
          if (byte > 0x20) fail(p, Problem.Colon);
          break;
        }
        p++;
        state = State.Value;
        byte = load<u8>(p);
        if (byte <= 0x20) break;
        p = takeValue(p, byte, limit);
        break;
      case State.AfterElement:
        if (byte == COMMA) {
          state = State.Value;
          byte = load<u8>(++p);
          if (byte <= 0x20) break;
        } else if (byte == CLOSE_BRACKET) {
          p++;
          close();
          break;
        } else {
          fail(p, Problem.CommaOrBracket);
          break;
        }
      // falls through
      case State.Value:
        p = takeValue(p, byte, limit);
        break;
      case State.ElementOrEnd:
        if (byte == CLOSE_BRACKET) {
          p++;
          close();
        } else p = takeValue(p, byte, limit);
        break;
      case State.Start:
        if (framing == Framing.Elements && byte != OPEN_BRACKET) fail(p, Problem.Array);
        else p = takeValue(p, byte, limit);
        break;
      default:
        fail(p, Problem.EndOfLine);
    }
  }
  position = p;
  return Outcome.TapeFull;
}

function expectedProblem(): Problem {
  switch (state) {
    case State.ElementOrEnd:
      return Problem.ElementOrEnd;
    case State.KeyOrEnd:
      return Problem.KeyOrEnd;
    case State.Key:
      return Problem.Key;
    case State.Colon:
      return Problem.Colon;
    case State.AfterElement:
      return Problem.CommaOrBracket;
    case State.AfterMember:
      return Problem.CommaOrBrace;
    case State.End:
      return Problem.EndOfLine;
    default:
      return framing == Framing.Elements && inside == Inside.Nothing ? Problem.Array : Problem.Value;
  }
}

/** The first byte that is not white space; in `lines`, a newline is not. */
function skipSpace(p: usize): usize {
  while (true) {
    const byte = load<u8>(p);
    if (byte == 0x20) {
      p++;
      // Indentation.
      while (i8x16.all_true(i8x16.eq(v128.load(p), i8x16.splat(0x20)))) p += 16;
    } else if (byte == NEWLINE) {
      if (framing == Framing.Lines) return p;
      p++;
      line += 1;
      lineStart = offsetOf(p);
    } else if (byte == 0x09 || byte == 0x0d) p++;
    else return p;
  }
}

// ── the end of a record ──

function writePlace(): void {
  writeNumbers(line, lineStart);
}

/** `bytes`: of a last line that nothing ends, else 0. */
function writeRecord(bytes: f64): void {
  writeNumber(Op.Record, 0, index, bytes);
  writePlace();
}

function endLine(p: usize): void {
  if (state == State.Start) write(Op.Blank, 0, 0, 0, 0);
  else if (state == State.End) writeRecord(0);
  else {
    if (state != State.BadLine) fail(p, expectedProblem());
    writeBad();
  }
  line += 1;
  lineStart = offsetOf(p + 1);
  state = State.Fresh;
  resetContainers();
}

function fail(p: usize, why: Problem): void {
  badProblem = why;
  badByte = load<u8>(p);
  badColumn = offsetOf(p) - lineStart + 1;
  if (framing == Framing.Lines) state = State.BadLine;
  else {
    writeBad();
    state = State.Stopped;
  }
}

function writeBad(): void {
  write(Op.Bad, 0, index, badProblem | (badByte << 8), 0);
  writePlace();
  writeNumbers(badColumn, 0);
}

/** No more input will come. */
export function finish(): void {
  rewindTape();
  compactArena(state == State.InKey || state == State.InString);
  if (state == State.InNumber && inside == Inside.Nothing && numberIsWhole()) endNumber();
  const bytes = offset - lineStart;
  if (framing == Framing.Lines) {
    if (bytes == 0) return;
    if (state == State.Start) write(Op.Blank, 0, 0, 0, 0);
    else if (state == State.End) writeRecord(bytes);
    else writeTail(bytes);
  } else if (state == State.InByteOrderMark || ((state == State.InString || state == State.InKey) && insideCharacter())) {
    badProblem = Problem.Utf8;
    writeBad();
  } else if (state != State.Start && state != State.Fresh && state != State.AfterLiteral && state != State.Stopped)
    writeTail(bytes);
}

function writeTail(bytes: f64): void {
  writeNumber(Op.Tail, 0, index, bytes);
  writePlace();
}

// ── values ──

function takeValue(p: usize, byte: u8, limit: usize): usize {
  if (byte == QUOTE) return takeString(p + 1, limit);
  if (<u32>byte - 0x30 <= 9 || byte == 0x2d) return takeNumber(p, limit);
  switch (byte) {
    case OPEN_BRACE:
      openObject();
      return p + 1;
    case OPEN_BRACKET:
      openArray();
      return p + 1;
    case 0x74:
      return takeLiteral(p, limit, Op.True);
    case 0x66:
      return takeLiteral(p, limit, Op.False);
    case 0x6e:
      return takeLiteral(p, limit, Op.Null);
    default:
      fail(p, expectedProblem());
      return p;
  }
}

/** A value is complete, and if anybody wants it, it is on the tape. */
// @ts-ignore: decorator
@inline
function valueDone(): void {
  if (inside == Inside.Object) state = State.AfterMember;
  else {
    state = State.AfterElement;
    if (inside >= Inside.StreamedArray) recordOrItemDone();
  }
}

function recordOrItemDone(): void {
  if (inside == Inside.StreamedArray) {
    if (want) handed = 1;
  } else if (inside == Inside.Records) {
    writeRecord(0);
    index++;
  } else if (framing == Framing.Documents) {
    writeRecord(0);
    handed = 0;
    state = State.Start;
  } else state = State.End;
}

// @ts-ignore: decorator
@inline
function openObject(): void {
  if (want) {
    write(Op.OpenObject, field, 0, 0, 0);
    push();
    node = want;
    handed = 0;
    inside = Inside.Object;
  } else skip(Inside.Object);
  state = State.KeyOrEnd;
}

// @ts-ignore: decorator
@inline
function openArray(): void {
  state = State.ElementOrEnd;
  if (inside == Inside.Nothing && framing == Framing.Elements) {
    push();
    index = 0;
    node = recordsNode;
    inside = Inside.Records;
    want = rootNode;
    return;
  }
  if (want) {
    write(Op.OpenArray, field, want, 0, 0);
    push();
    node = want;
    handed = 0;
    inside = nodeWord(node, Node.Streamed) ? Inside.StreamedArray : Inside.Array;
    want = nodeWord(node, Node.Items);
    field = 0;
  } else skip(Inside.Array);
}

function push(): void {
  if (stack + 8 > stackLimit) growStack();
  store<u32>(stack, (node << 4) | (inside << 1) | handed);
  stack += 4;
}

function growStack(): void {
  stackLimit += max(stackLimit - stackStart, 1024);
  reach(stackLimit + 8);
}

/** Enters a container that nobody wants; only its kind is remembered. */
// @ts-ignore: decorator
@inline
function skip(kind: Inside): void {
  if (skipped == 0) insideBeforeSkipped = inside;
  else {
    if ((skipped & 63) == 0) {
      // Above the frames, which cannot grow meanwhile.
      const spill = stack + <usize>(skipped >> 3) - 8;
      if (spill + 16 > stackLimit) growStack();
      store<u64>(spill, skippedKinds);
    }
    skippedKinds = (skippedKinds << 1) | inside;
  }
  skipped++;
  inside = kind;
}

function close(): void {
  if (skipped) {
    skipped--;
    if (skipped) {
      inside = <Inside>(skippedKinds & 1);
      skippedKinds >>= 1;
      if ((skipped & 63) == 0) skippedKinds = load<u64>(stack + <usize>(skipped >> 3) - 8);
      state = inside == Inside.Object ? State.AfterMember : State.AfterElement;
      return;
    }
    inside = insideBeforeSkipped;
    valueDone();
    return;
  }
  const wasRecords = inside == Inside.Records;
  if (!wasRecords) write(Op.Close, 0, 0, 0, 0);
  stack -= 4;
  const frame = load<u32>(stack);
  node = frame >> 4;
  inside = <Inside>((frame >> 1) & 7);
  handed |= frame & 1;
  field = 0;
  if (inside == Inside.Nothing) want = rootNode;
  else if (inside != Inside.Object) want = nodeWord(node, Node.Items);
  if (wasRecords) {
    handed = 0;
    state = State.Start;
  } else valueDone();
}

// ── strings and keys ──

/** From after the opening quote. */
// @ts-ignore: decorator
@inline
function takeString(p: usize, limit: usize): usize {
  const mask = specialMask(p);
  if (mask) {
    const end = p + <usize>ctz(mask);
    if (load<u8>(end) == QUOTE && (!want || plainString(p, end - p))) {
      valueDone();
      return end + 1;
    }
  }
  if (!want) {
    // By far most of the bytes of a log are in here.
    p = skipPlain(mask ? p : p + 16);
    if (load<u8>(p) == QUOTE) {
      valueDone();
      return p + 1;
    }
  }
  return longString(p, limit);
}

/** Writes a string that stands in the input as it is; false if it has to be cut. */
function plainString(text: usize, length: usize): bool {
  const taken = nodeWord(want, Node.Text);
  if (taken == Text.Measure) writeNumber(Op.Length, field, 0, <f64>length);
  else if (taken == Text.Fold) write(Op.FoldedString, field, text, length, Encoding.Ascii | (want << 2));
  else if (length > maxBytes) return false;
  else writeShort(text, length);
  return true;
}

// @ts-ignore: decorator
@inline
function writeShort(text: usize, length: usize): void {
  const slot = cacheSlot(text, length);
  if (cacheHit) write(Op.CachedString, field, slot, 0, 0);
  else write(Op.StringToCache, field, text, length, slot);
}

function longString(p: usize, limit: usize): usize {
  state = State.InString;
  if (!want) beginPassed();
  else {
    const taken = nodeWord(want, Node.Text);
    if (taken == Text.Measure) beginPassed();
    else if (taken == Text.Fold) beginCopied(u32.MAX_VALUE, want, false);
    else beginCopied(maxBytes, 0, false);
  }
  return goOnString(p, limit);
}

function goOnString(p: usize, limit: usize): usize {
  p = goOn(p, limit);
  if (step == Step.Done) {
    if (want) writeString();
    valueDone();
  } else if (step == Step.Failed) fail(p, problem);
  else suspended = true;
  return p;
}

function writeString(): void {
  const taken = nodeWord(want, Node.Text);
  if (taken == Text.Measure) {
    writeNumber(Op.Length, field, 0, <f64>units);
    return;
  }
  const length = textLength();
  if (taken == Text.Fold) {
    write(Op.FoldedString, field, textStart, length, encoding | (want << 2));
    return;
  }
  if (wasCut) write(Op.Cut, 0, 0, 0, 0);
  if (encoding == Encoding.Ascii && !inPieces && length <= LONGEST_CACHED) writeShort(textStart, length);
  else write(Op.String, field, textStart, length, encoding);
}

/** From after the opening quote. */
// @ts-ignore: decorator
@inline
function takeKey(p: usize, limit: usize): usize {
  const mask = specialMask(p);
  if (mask) {
    const end = p + <usize>ctz(mask);
    if (load<u8>(end) == QUOTE) {
      const length = end - p;
      if (skipped || length <= maxBytes) {
        if (!skipped) startMember(p, length, Encoding.Ascii, false);
        state = State.Colon;
        return end + 1;
      }
    }
  }
  return longKey(p, limit);
}

function longKey(p: usize, limit: usize): usize {
  state = State.InKey;
  if (skipped) beginPassed();
  else beginCopied(maxBytes, 0, !nodeWord(node, Node.Entries));
  return goOnKey(p, limit);
}

function goOnKey(p: usize, limit: usize): usize {
  p = goOn(p, limit);
  if (step == Step.Done) {
    if (!skipped) {
      if (wasCut) write(Op.Cut, 0, 0, 0, 0);
      startMember(textStart, textLength(), encoding, inPieces);
    }
    state = State.Colon;
  } else if (step == Step.Failed) fail(p, problem);
  else suspended = true;
  return p;
}

function startMember(key: usize, length: usize, keyEncoding: Encoding, keyInPieces: bool): void {
  const found = keyInPieces ? 0 : findField(node, key, length);
  if (found) {
    want = fieldWord(found, Field.Node);
    field = fieldWord(found, Field.Id);
  } else {
    want = nodeWord(node, Node.Entries);
    field = 0;
  }
  if (!want) return;
  if (!field) write(Op.Key, 0, key, length, keyEncoding);
  if (handed) {
    write(Op.CheckKey, field, index, 0, 0);
    writePlace();
  }
}

// ── numbers ──

// @ts-ignore: decorator
@inline
function takeNumber(p: usize, limit: usize): usize {
  // Fifteen digits are exact in a double, and so is a power of ten up to 22: one division rounds correctly.
  let q = p;
  const negative = load<u8>(q) == 0x2d;
  if (negative) q++;
  let digit = <u32>load<u8>(q) - 0x30;
  if (digit <= 9) {
    let mantissa: u64 = digit;
    let count = 1;
    q++;
    if (digit != 0) {
      while ((digit = <u32>load<u8>(q) - 0x30) <= 9 && count < 15) {
        mantissa = mantissa * 10 + digit;
        count++;
        q++;
      }
    }
    let divisor: f64 = 1;
    let byte = load<u8>(q);
    if (byte == 0x2e) {
      const point = q++;
      while ((digit = <u32>load<u8>(q) - 0x30) <= 9 && count < 15) {
        mantissa = mantissa * 10 + digit;
        divisor *= 10;
        count++;
        q++;
      }
      byte = q == point + 1 ? 0 : load<u8>(q);
    }
    // Only what surely ends a number, so not the zero after the input.
    if (byte == 0x2c || byte == 0x7d || byte == 0x5d || byte == NEWLINE || byte == 0x20 || byte == 0x0d) {
      if (want) {
        const value = <f64>mantissa / divisor;
        writeNumber(Op.Number, field, 0, negative ? -value : value);
      }
      valueDone();
      return q;
    }
  }
  state = State.InNumber;
  beginNumber(want != 0);
  return longNumber(p, limit);
}

function longNumber(p: usize, limit: usize): usize {
  p = goOnNumber(p, limit);
  if (numberStep == Step.Done) endNumber();
  else if (numberStep == Step.Failed) fail(p, Problem.Digit);
  else suspended = true;
  return p;
}

function endNumber(): void {
  if (want) {
    const start = respellNumber();
    write(Op.NumberText, field, start, arenaEnd() - start, 0);
  }
  valueDone();
}

// ── literals ──

// @ts-ignore: decorator
@inline
function takeLiteral(p: usize, limit: usize, op: Op): usize {
  if (inside != Inside.Nothing) {
    const bytes = load<u32>(p);
    if (bytes == (op == Op.True ? 0x65757274 : op == Op.Null ? 0x6c6c756e : 0x736c6166)) {
      if (op != Op.False || load<u8>(p, 4) == 0x65) {
        if (want) write(op, field, 0, 0, 0);
        valueDone();
        return p + (op == Op.False ? 5 : 4);
      }
    }
  }
  state = State.InLiteral;
  literal = op;
  literalAt = 1;
  return longLiteral(p + 1, limit);
}

const TRUE_TEXT = memory.data<u8>([0x74, 0x72, 0x75, 0x65, 0]);
const FALSE_TEXT = memory.data<u8>([0x66, 0x61, 0x6c, 0x73, 0x65, 0]);
const NULL_TEXT = memory.data<u8>([0x6e, 0x75, 0x6c, 0x6c, 0]);

function longLiteral(p: usize, limit: usize): usize {
  const text = literal == Op.True ? TRUE_TEXT : literal == Op.False ? FALSE_TEXT : NULL_TEXT;
  while (true) {
    const expected = load<u8>(text + literalAt);
    if (!expected) break;
    if (load<u8>(p) != expected) {
      if (p == limit) suspended = true;
      else fail(p, Problem.Literal);
      return p;
    }
    literalAt++;
    p++;
  }
  if (want) write(literal, field, 0, 0, 0);
  valueDone();
  if (state == State.Start) state = State.AfterLiteral;
  return p;
}

// ── going on inside of something ──

/** The last step has used up the input. */
let suspended: bool = false;

function resume(p: usize, limit: usize): usize {
  suspended = false;
  if (p == limit && state != State.Fresh) {
    // Nothing to go on with; the input may also be empty.
    suspended = true;
    return p;
  }
  switch (state) {
    case State.InKey:
      return goOnKey(p, limit);
    case State.InString:
      return goOnString(p, limit);
    case State.InNumber:
      return longNumber(p, limit);
    case State.InLiteral:
      return longLiteral(p, limit);
    case State.Fresh:
      if (p == limit) suspended = true;
      else if (load<u8>(p) == 0xef) {
        state = State.InByteOrderMark;
        byteOrderMarkSeen = 1;
        return p + 1;
      } else state = State.Start;
      return p;
    case State.InByteOrderMark:
      if (load<u8>(p) != (byteOrderMarkSeen == 1 ? 0xbb : 0xbf)) fail(p, Problem.Value);
      else {
        p++;
        if (++byteOrderMarkSeen == 3) state = State.Start;
      }
      return p;
    case State.AfterLiteral: {
      const byte = load<u8>(p);
      const isWord = <u32>byte - 0x30 <= 9 || (<u32>byte | 0x20) - 0x61 <= 25 || byte == 0x5f;
      if (isWord) fail(p, Problem.Literal);
      else state = State.Start;
      return p;
    }
    case State.BadLine: {
      const newline = findNewline(p, limit);
      if (newline == limit) {
        suspended = true;
        return limit;
      }
      endLine(newline);
      return newline + 1;
    }
    default:
      suspended = true;
      return limit;
  }
}
