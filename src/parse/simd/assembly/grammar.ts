/**
 * The grammar of JSON as a pushdown automaton that follows a shape. It can stop at any byte: what it is in the middle of
 * is in `state`, and in the modules for strings and numbers.
 */
import {
  ENCODING_ASCII,
  FIELD_FOLLOWER,
  FIELD_ID,
  FIELD_NODE,
  FRAMING_DOCUMENTS,
  FRAMING_ELEMENTS,
  FRAMING_LINES,
  INTO_ARRAY,
  INTO_NOTHING,
  INTO_OBJECT,
  INTO_RECORDS,
  INTO_STREAM,
  NODE_ENTRIES,
  NODE_ITEMS,
  NODE_STREAMED,
  NODE_TEXT,
  OP_BAD,
  OP_BLANK,
  OP_CHECK_KEY,
  OP_CLOSE,
  OP_CUT,
  OP_FOLDED_STRING,
  OP_KEY,
  OP_KNOWN,
  OP_LENGTH,
  OP_NEW_STRING,
  OP_NUMBER,
  OP_NUMBER_TEXT,
  OP_OPEN_ARRAY,
  OP_OPEN_OBJECT,
  OP_RECORD,
  OP_STRING,
  OP_TAIL,
  OP_TIME_TEXT,
  OUTCOME_READ,
  OUTCOME_TAPE_FULL,
  PROBLEM_ARRAY,
  PROBLEM_COLON,
  PROBLEM_COMMA_OR_BRACE,
  PROBLEM_COMMA_OR_BRACKET,
  PROBLEM_DIGIT,
  PROBLEM_ELEMENT_OR_END,
  PROBLEM_END_OF_LINE,
  PROBLEM_KEY,
  PROBLEM_KEY_OR_END,
  PROBLEM_LITERAL,
  PROBLEM_UTF8,
  PROBLEM_VALUE,
  SLOT_FALSE,
  SLOT_NULL,
  SLOT_TRUE,
  STREAMED_DIGESTS,
  TEXT_FOLD,
  TEXT_MEASURE,
  TEXT_TIME,
} from '../codes';
import { findNewline, hash, NEWLINE, plainEnd, QUOTE, specialMask } from './bytes';
import {
  DATA_END,
  INPUT_SIZE,
  INPUT_STEP,
  inputStart,
  namesStart,
  packStart,
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
import { digestItem, endDigest, forgetDigest } from './digest';
import { learnTypes } from './event';
import { forgetForms, formOf } from './items';
import { forgetNames, namesKnown } from './names';
import { packTape, textLength as textsOnTape } from './pack';

export { namesKnown, packTape, textsOnTape };
import { beginNumber, goOnNumber, numberIsWhole, numberStep, respellNumber } from './number';
import { cacheHit, cacheSlot, fieldWord, findField, firstField, hasKey, LONGEST_CACHED, nodeWord } from './shape';
import { skipText } from './skip';
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
import { utcMilliseconds } from './time';

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

// ── options ──
let framing: i32 = FRAMING_LINES;
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
/** Where the input begins that is being read. */
let input: usize = inputStart;
let position: usize = inputStart;
let byteOrderMarkSeen: i32 = 0;

// ── the current container ──
let inside: i32 = INTO_NOTHING;
let node: u32 = 0;
/** An item has been handed over from within it. */
let handed: u32 = 0;
/** By which field it was, or 0 if by several, or by one that has no number. */
let handedField: u32 = 0;
/** Where it is noted which field to expect next: objects of one kind mostly have theirs in one order. */
let follower: usize = 0;
/** Where the entry is that opened the current item of a stream; 0 if it is not on this tape. */
let itemOpen: usize = 0;
/** It is an event that may be digested. */
let digesting: bool = false;
/** Depth below the last container that is wanted. */
let skipped: u32 = 0;
/** Kinds of the containers around a skipped one, as bits; older ones are on the stack. */
let skippedKinds: u64 = 0;
let insideBeforeSkipped: i32 = INTO_NOTHING;

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
let literal: u32 = SLOT_NULL;
let literalAt: i32 = 0;

// ── the problem of a bad line, until the line ends ──
let badProblem: i32 = PROBLEM_VALUE;
let badByte: u32 = 0;
let badColumn: f64 = 0;

/** Where the host puts an input, of those that there are. */
export function inputAddress(index: u32): usize {
  return inputStart + index * INPUT_STEP;
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

export function packAddress(): usize {
  return packStart;
}

export function namesAddress(): usize {
  return namesStart;
}

/** Where the host puts the shape tables. */
export function tablesAddress(size: usize): usize {
  if (<usize>__heap_base > DATA_END) unreachable();
  stackStart = (tablesStart + size + 64 + 7) & ~7;
  stackLimit = stackStart + 1024;
  reach(stackLimit);
  learnTypes();
  forgetForms();
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
  forgetNames();
  resetContainers();
}

function resetContainers(): void {
  stack = stackStart;
  itemOpen = 0;
  digesting = false;
  forgetDigest();
  inside = INTO_NOTHING;
  node = 0;
  handed = 0;
  skipped = 0;
  want = rootNode;
  field = 0;
}

/** The host has put this many bytes there. */
export function feed(address: usize, length: u32): void {
  input = address;
  position = address;
  // Ends every run: in no state does a zero byte belong to anything.
  store<u64>(address + length, 0);
}

/** After `run` has read all input. */
export function advance(length: u32): void {
  offset += length;
}

/** The place of this byte in the whole input. */
@inline
function offsetOf(p: usize): f64 {
  return offset + <f64>(p - input);
}

/** Reads on until the input ends or the tape is full. */
export function run(length: u32): u32 {
  rewindTape();
  itemOpen = 0;
  digesting = false;
  compactArena(state == State.InKey || state == State.InString);
  const outcome = scan(input + length);
  // It speaks of bytes that may be gone when more are read.
  endDigest(itemOpen ? itemOpen : tape);
  if (state == State.InKey || state == State.InString) handOverLongText();
  return outcome;
}

export function tapeEnd(): usize {
  return tape;
}

function scan(limit: usize): i32 {
  let p = position;
  while (tape < tapeLimit) {
    if (state > State.End) {
      p = resume(p, limit);
      if (p == limit && suspended) {
        position = p;
        return OUTCOME_READ;
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
          return OUTCOME_READ;
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
          if (byte > 0x20) fail(p, PROBLEM_COLON);
          break;
        }
        p++;
        state = State.Value;
        byte = load<u8>(p);
        if (byte <= 0x20) break;
        p = byte == QUOTE ? takeString(p + 1, limit) : takeValue(p, byte, limit);
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
          fail(p, PROBLEM_COMMA_OR_BRACKET);
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
        if (framing == FRAMING_ELEMENTS && byte != OPEN_BRACKET) fail(p, PROBLEM_ARRAY);
        else p = takeValue(p, byte, limit);
        break;
      default:
        fail(p, PROBLEM_END_OF_LINE);
    }
  }
  position = p;
  return OUTCOME_TAPE_FULL;
}

function expectedProblem(): i32 {
  switch (state) {
    case State.ElementOrEnd:
      return PROBLEM_ELEMENT_OR_END;
    case State.KeyOrEnd:
      return PROBLEM_KEY_OR_END;
    case State.Key:
      return PROBLEM_KEY;
    case State.Colon:
      return PROBLEM_COLON;
    case State.AfterElement:
      return PROBLEM_COMMA_OR_BRACKET;
    case State.AfterMember:
      return PROBLEM_COMMA_OR_BRACE;
    case State.End:
      return PROBLEM_END_OF_LINE;
    default:
      return framing == FRAMING_ELEMENTS && inside == INTO_NOTHING ? PROBLEM_ARRAY : PROBLEM_VALUE;
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
      if (framing == FRAMING_LINES) return p;
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
  writeNumber(OP_RECORD, 0, index, bytes);
  writePlace();
}

function endLine(p: usize): void {
  if (state == State.Start) write(OP_BLANK, 0, 0, 0, 0);
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

function fail(p: usize, why: i32): void {
  forgetDigest();
  badProblem = why;
  badByte = load<u8>(p);
  badColumn = offsetOf(p) - lineStart + 1;
  if (framing == FRAMING_LINES) state = State.BadLine;
  else {
    writeBad();
    state = State.Stopped;
  }
}

function writeBad(): void {
  write(OP_BAD, 0, index, badProblem | (badByte << 8), 0);
  writePlace();
  writeNumbers(badColumn, 0);
}

/** No more input will come. */
export function finish(): void {
  rewindTape();
  compactArena(state == State.InKey || state == State.InString);
  if (state == State.InNumber && inside == INTO_NOTHING && numberIsWhole()) endNumber();
  const bytes = offset - lineStart;
  if (framing == FRAMING_LINES) {
    if (bytes == 0) return;
    if (state == State.Start) write(OP_BLANK, 0, 0, 0, 0);
    else if (state == State.End) writeRecord(bytes);
    else writeTail(bytes);
  } else if (state == State.InByteOrderMark || ((state == State.InString || state == State.InKey) && insideCharacter())) {
    badProblem = PROBLEM_UTF8;
    writeBad();
  } else if (state != State.Start && state != State.Fresh && state != State.AfterLiteral && state != State.Stopped)
    writeTail(bytes);
}

function writeTail(bytes: f64): void {
  writeNumber(OP_TAIL, 0, index, bytes);
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
      return takeLiteral(p, limit, SLOT_TRUE);
    case 0x66:
      return takeLiteral(p, limit, SLOT_FALSE);
    case 0x6e:
      return takeLiteral(p, limit, SLOT_NULL);
    default:
      fail(p, expectedProblem());
      return p;
  }
}

/** A value is complete, and if anybody wants it, it is on the tape. */
@inline
function valueDone(): void {
  if (inside == INTO_OBJECT) state = State.AfterMember;
  else {
    state = State.AfterElement;
    if (inside >= INTO_STREAM) recordOrItemDone();
  }
}

function recordOrItemDone(): void {
  if (inside == INTO_STREAM) {
    if (want) handed = 1;
  } else if (inside == INTO_RECORDS) {
    writeRecord(0);
    index++;
  } else if (framing == FRAMING_DOCUMENTS) {
    writeRecord(0);
    handed = 0;
    state = State.Start;
  } else state = State.End;
}

@inline
function openObject(): void {
  if (want) {
    if (inside == INTO_STREAM) {
      itemOpen = tape;
      digesting = nodeWord(node, NODE_STREAMED) == STREAMED_DIGESTS;
    }
    write(OP_OPEN_OBJECT, field, INTO_OBJECT, want, 0);
    push();
    node = want;
    handed = 0;
    inside = INTO_OBJECT;
    follower = firstField(node);
  } else skip(INTO_OBJECT);
  state = State.KeyOrEnd;
}

@inline
function openArray(): void {
  state = State.ElementOrEnd;
  if (inside == INTO_NOTHING && framing == FRAMING_ELEMENTS) {
    push();
    index = 0;
    node = recordsNode;
    inside = INTO_RECORDS;
    want = rootNode;
    return;
  }
  if (want) {
    const into = nodeWord(want, NODE_STREAMED) ? INTO_STREAM : INTO_ARRAY;
    write(OP_OPEN_ARRAY, field, into, want, 0);
    push();
    node = want;
    handed = 0;
    inside = into;
    want = nodeWord(node, NODE_ITEMS);
    field = 0;
  } else skip(INTO_ARRAY);
}

const FRAME_SIZE: usize = 16;

function push(): void {
  if (stack + FRAME_SIZE + 8 > stackLimit) growStack();
  store<u32>(stack, (node << 4) | (inside << 1) | handed);
  store<u32>(stack, field, 4);
  store<u32>(stack, handedField, 8);
  store<u32>(stack, <u32>follower, 12);
  stack += FRAME_SIZE;
}

function growStack(): void {
  stackLimit += max(stackLimit - stackStart, 1024);
  reach(stackLimit + 8);
}

/** Enters a container that nobody wants; only its kind is remembered. */
@inline
function skip(kind: i32): void {
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
      inside = <i32>(skippedKinds & 1);
      skippedKinds >>= 1;
      if ((skipped & 63) == 0) skippedKinds = load<u64>(stack + <usize>(skipped >> 3) - 8);
      state = inside == INTO_OBJECT ? State.AfterMember : State.AfterElement;
      return;
    }
    inside = insideBeforeSkipped;
    valueDone();
    return;
  }
  const wasRecords = inside == INTO_RECORDS;
  if (inside == INTO_STREAM) endDigest(tape);
  stack -= FRAME_SIZE;
  const frame = load<u32>(stack);
  const own = load<u32>(stack, 4);
  const fieldBefore = load<u32>(stack, 8);
  follower = load<u32>(stack, 12);
  node = frame >> 4;
  inside = (frame >> 1) & 7;
  if (!wasRecords) write(OP_CLOSE, own, inside, node, handed);
  if (inside == INTO_STREAM && itemOpen) endItem();
  handedField = !handed ? fieldBefore : frame & 1 && fieldBefore != own ? 0 : own;
  handed |= frame & 1;
  field = 0;
  if (inside == INTO_NOTHING) want = rootNode;
  else if (inside != INTO_OBJECT) want = nodeWord(node, NODE_ITEMS);
  if (wasRecords) {
    handed = 0;
    state = State.Start;
  } else valueDone();
}

/** The item is on the tape as a whole. */
function endItem(): void {
  if (!digesting) store<u32>(itemOpen, formOf(itemOpen, tape), 12);
  // Events that are not digested are rare, and not worth a form.
  else if (!digestItem(itemOpen, tape)) endDigest(itemOpen);
  itemOpen = 0;
  digesting = false;
}

// ── strings and keys ──

/** From after the opening quote. */
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
    p = skipText(mask ? p : p + 16);
    if (load<u8>(p) == QUOTE) {
      valueDone();
      return p + 1;
    }
  } else if (!mask) {
    const end = plainEnd(p + 16);
    if (load<u8>(end) == QUOTE && plainString(p, end - p)) {
      valueDone();
      return end + 1;
    }
  }
  return longString(p, limit);
}

/** Writes a string that stands in the input as it is; false if it has to be cut. */
@inline
function plainString(text: usize, length: usize): bool {
  const taken = nodeWord(want, NODE_TEXT);
  if (taken == TEXT_MEASURE) writeNumber(OP_LENGTH, field, 0, <f64>length);
  else if (taken == TEXT_FOLD) write(OP_FOLDED_STRING, field, text, length, ENCODING_ASCII | (want << 2));
  else if (length > maxBytes) return false;
  else if (taken == TEXT_TIME) writeTime(text, length);
  else writeAscii(text, length);
  return true;
}

function writeTime(text: usize, length: usize): void {
  const time = utcMilliseconds(text, length);
  if (isNaN(time)) write(OP_TIME_TEXT, field, text, length, ENCODING_ASCII);
  else writeNumber(OP_NUMBER, field, 0, time);
}

@inline
function writeAscii(text: usize, length: usize): void {
  // A digest looks at the text itself.
  if (length > LONGEST_CACHED || digesting) {
    write(OP_STRING, field, text, length, ENCODING_ASCII);
    return;
  }
  const slot = cacheSlot(text, length);
  if (cacheHit) write(OP_KNOWN, field, slot, 0, 0);
  else write(OP_NEW_STRING, field, text, length, slot);
}

function longString(p: usize, limit: usize): usize {
  state = State.InString;
  if (!want) beginPassed(false);
  else {
    const taken = nodeWord(want, NODE_TEXT);
    if (taken == TEXT_MEASURE) beginPassed(true);
    else if (taken == TEXT_FOLD) beginCopied(u32.MAX_VALUE, want, false);
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
  const taken = nodeWord(want, NODE_TEXT);
  if (taken == TEXT_MEASURE) {
    writeNumber(OP_LENGTH, field, 0, <f64>units);
    return;
  }
  const length = textLength();
  if (taken == TEXT_FOLD) {
    write(OP_FOLDED_STRING, field, textStart, length, encoding | (want << 2));
    return;
  }
  if (wasCut) write(OP_CUT, 0, 0, 0, 0);
  if (taken == TEXT_TIME) write(OP_TIME_TEXT, field, textStart, length, encoding);
  else if (encoding == ENCODING_ASCII && !inPieces) writeAscii(textStart, length);
  else write(OP_STRING, field, textStart, length, encoding);
}

/** From after the opening quote. */
@inline
function takeKey(p: usize, limit: usize): usize {
  const mask = specialMask(p);
  if (mask) {
    const end = p + <usize>ctz(mask);
    if (load<u8>(end) == QUOTE) {
      const length = end - p;
      if (skipped || length <= maxBytes) {
        if (!skipped) startMember(p, length, ENCODING_ASCII, false);
        state = State.Colon;
        return end + 1;
      }
    }
  }
  return longKey(p, limit);
}

function longKey(p: usize, limit: usize): usize {
  state = State.InKey;
  if (skipped) beginPassed(false);
  else beginCopied(maxBytes, 0, !nodeWord(node, NODE_ENTRIES));
  return goOnKey(p, limit);
}

function goOnKey(p: usize, limit: usize): usize {
  p = goOn(p, limit);
  if (step == Step.Done) {
    if (!skipped) {
      if (wasCut) write(OP_CUT, 0, 0, 0, 0);
      startMember(textStart, textLength(), encoding, inPieces);
    }
    state = State.Colon;
  } else if (step == Step.Failed) fail(p, problem);
  else suspended = true;
  return p;
}

@inline
function startMember(key: usize, length: usize, keyEncoding: i32, keyInPieces: bool): void {
  let found: usize = 0;
  if (!keyInPieces) {
    found = load<u32>(follower);
    if (!found || !hasKey(found, key, length)) {
      found = findField(node, key, length);
      if (found) store<u32>(follower, <u32>found);
    }
  }
  if (found) {
    follower = found + FIELD_FOLLOWER * 4;
    want = fieldWord(found, FIELD_NODE);
    field = fieldWord(found, FIELD_ID);
  } else {
    want = nodeWord(node, NODE_ENTRIES);
    field = 0;
  }
  if (!want) return;
  if (!field) write(OP_KEY, 0, key, length, keyEncoding);
  if (handed && (field == 0 || handedField == 0 || field == handedField)) {
    write(OP_CHECK_KEY, field, index, 0, 0);
    writePlace();
  }
}

// ── numbers ──

@inline
function takeNumber(p: usize, limit: usize): usize {
  // Fifteen digits are exact in a double, and so is a power of ten up to 22: one division rounds correctly.
  const mostDigits = want ? 15 : i32.MAX_VALUE;
  let q = p;
  const negative = load<u8>(q) == 0x2d;
  if (negative) q++;
  let digit = <u32>load<u8>(q) - 0x30;
  if (digit <= 9) {
    let mantissa: u64 = digit;
    let count = 1;
    q++;
    if (digit != 0) {
      while ((digit = <u32>load<u8>(q) - 0x30) <= 9 && count < mostDigits) {
        mantissa = mantissa * 10 + digit;
        count++;
        q++;
      }
    }
    let divisor: f64 = 1;
    let byte = load<u8>(q);
    if (byte == 0x2e) {
      const point = q++;
      while ((digit = <u32>load<u8>(q) - 0x30) <= 9 && count < mostDigits) {
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
        if (nodeWord(want, NODE_TEXT) == TEXT_TIME) write(OP_KNOWN, field, SLOT_NULL, 0, 0);
        else writeNumber(OP_NUMBER, field, 0, negative ? -value : value);
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
  else if (numberStep == Step.Failed) fail(p, PROBLEM_DIGIT);
  else suspended = true;
  return p;
}

function endNumber(): void {
  if (want) {
    const start = respellNumber();
    if (nodeWord(want, NODE_TEXT) == TEXT_TIME) write(OP_KNOWN, field, SLOT_NULL, 0, 0);
    else write(OP_NUMBER_TEXT, field, start, arenaEnd() - start, 0);
  }
  valueDone();
}

// ── literals ──

@inline
function takeLiteral(p: usize, limit: usize, slot: u32): usize {
  if (inside != INTO_NOTHING) {
    const bytes = load<u32>(p);
    if (bytes == (slot == SLOT_TRUE ? 0x65757274 : slot == SLOT_NULL ? 0x6c6c756e : 0x736c6166)) {
      if (slot != SLOT_FALSE || load<u8>(p, 4) == 0x65) {
        if (want) write(OP_KNOWN, field, slot, 0, 0);
        valueDone();
        return p + (slot == SLOT_FALSE ? 5 : 4);
      }
    }
  }
  state = State.InLiteral;
  literal = slot;
  literalAt = 1;
  return longLiteral(p + 1, limit);
}

const TRUE_TEXT = memory.data<u8>([0x74, 0x72, 0x75, 0x65, 0]);
const FALSE_TEXT = memory.data<u8>([0x66, 0x61, 0x6c, 0x73, 0x65, 0]);
const NULL_TEXT = memory.data<u8>([0x6e, 0x75, 0x6c, 0x6c, 0]);

function longLiteral(p: usize, limit: usize): usize {
  const text = literal == SLOT_TRUE ? TRUE_TEXT : literal == SLOT_FALSE ? FALSE_TEXT : NULL_TEXT;
  while (true) {
    const expected = load<u8>(text + literalAt);
    if (!expected) break;
    if (load<u8>(p) != expected) {
      if (p == limit) suspended = true;
      else fail(p, PROBLEM_LITERAL);
      return p;
    }
    literalAt++;
    p++;
  }
  if (want) write(OP_KNOWN, field, literal, 0, 0);
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
      if (load<u8>(p) != (byteOrderMarkSeen == 1 ? 0xbb : 0xbf)) fail(p, PROBLEM_VALUE);
      else {
        p++;
        if (++byteOrderMarkSeen == 3) state = State.Start;
      }
      return p;
    case State.AfterLiteral: {
      const byte = load<u8>(p);
      const isWord = <u32>byte - 0x30 <= 9 || (<u32>byte | 0x20) - 0x61 <= 25 || byte == 0x5f;
      if (isWord) fail(p, PROBLEM_LITERAL);
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
