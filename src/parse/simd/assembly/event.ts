/** The event at hand: what its entries on the tape say, if they say it in one of the usual ways. */
import {
  DATA_SUCCESS,
  DATA_TYPE,
  ENCODING_ASCII,
  ENCODING_LONE_SURROGATES,
  EVENT_DATA,
  EVENT_TIMESTAMP,
  EVENT_TYPE,
  NAME_NONE,
  OP_CLOSE,
  OP_KNOWN,
  OP_LENGTH,
  OP_NUMBER,
  OP_OPEN_OBJECT,
  OP_STRING,
  OP_TIME_TEXT,
  SLOT_FALSE,
  SLOT_NULL,
} from '../codes';
import { sameBytes } from './bytes';
import { digestStart } from './layout';
import { LONGEST_NAME, nameNumber } from './names';

const ENTRY_SIZE: usize = 16;

export const enum Type {
  Other,
  TokenUsage,
  ToolCall,
  ToolResult,
  SkillActivation,
  TurnStart,
  TurnEnd,
  Error,
  System,
  UserMessage,
  AssistantMessage,
}

// Where the entry of each of its fields is, or 0.

const FIELDS: i32 = DATA_TYPE + 1;
/** Sixteen addresses, those of the data from the fourth on. */
const fields: usize = digestStart;
const FIELDS_SIZE: usize = 64;

@inline
function entryOf(field: i32): usize {
  return <usize>load<u32>(fields + (<usize>field << 2));
}

/** Something in the event is not as usual. */
export let odd: bool = false;

/** Finds the fields of the item whose entries lie here; false if it is more than fields. */
function findFields(open: usize, end: usize): bool {
  const none = i32x4.splat(0);
  v128.store(fields, none);
  v128.store(fields, none, 16);
  v128.store(fields, none, 32);
  v128.store(fields, none, 48);
  for (let at = open + ENTRY_SIZE; at < end; at += ENTRY_SIZE) {
    const head = load<u32>(at);
    const op = <i32>(head & 0xff);
    const field = head >> 8;
    if (op == OP_CLOSE) continue;
    if (field == 0 || field >= <u32>FIELDS) return false;
    if (op > OP_STRING && (op < OP_LENGTH || op > OP_TIME_TEXT)) return false;
    if (field == EVENT_DATA) {
      // The last one counts, if there are several.
      if (op != OP_OPEN_OBJECT) return false;
      v128.store(fields, none, 16);
      v128.store(fields, none, 32);
      v128.store(fields, none, 48);
    } else store<u32>(fields + (<usize>field << 2), <u32>at);
  }
  return true;
}

// The words for the types, each in a place of its own, to be compared as a whole.

const WORD_SIZE: usize = 32;
const words: usize = fields + FIELDS_SIZE;
export const EVENT_SIZE: usize = FIELDS_SIZE + (<usize>Type.AssistantMessage + 1) * WORD_SIZE;

@inline
function wordOf(type: Type): usize {
  return words + <usize>type * WORD_SIZE;
}

/** To be called once there is memory. */
export function learnTypes(): void {
  learn(Type.TokenUsage, 'token_usage');
  learn(Type.ToolCall, 'tool_call');
  learn(Type.ToolResult, 'tool_result');
  learn(Type.SkillActivation, 'skill_activation');
  learn(Type.TurnStart, 'turn_start');
  learn(Type.TurnEnd, 'turn_end');
  learn(Type.Error, 'error');
  learn(Type.System, 'system');
  learn(Type.UserMessage, 'user_message');
  learn(Type.AssistantMessage, 'assistant_message');
}

function learn(type: Type, word: string): void {
  for (let i = 0; i < word.length; i++) store<u8>(wordOf(type) + i, <u8>word.charCodeAt(i));
}

function typeOf(text: usize, length: u32): Type {
  let type = Type.Other;
  switch (length) {
    case 5:
      type = Type.Error;
      break;
    case 6:
      type = Type.System;
      break;
    case 8:
      type = Type.TurnEnd;
      break;
    case 9:
      type = Type.ToolCall;
      break;
    case 10:
      type = Type.TurnStart;
      break;
    case 11:
      type = load<u8>(text, 2) == 0x6b ? Type.TokenUsage : Type.ToolResult;
      break;
    case 12:
      type = Type.UserMessage;
      break;
    case 16:
      type = Type.SkillActivation;
      break;
    case 17:
      type = Type.AssistantMessage;
  }
  return sameBytes(wordOf(type), text, length) ? type : Type.Other;
}

/** Milliseconds, or NaN if there is no time. */
export function timeOf(): f64 {
  const at = entryOf(EVENT_TIMESTAMP);
  if (!at) return NaN;
  const op = load<u8>(at);
  if (op == OP_NUMBER) return load<f64>(at, 8);
  if (op != OP_KNOWN || load<u32>(at, 4) != SLOT_NULL) odd = true;
  return NaN;
}

export const LARGEST_EXACT: f64 = 9007199254740991;

/** A number of tokens; a missing one is none. */
export function countOf(field: i32): f64 {
  const at = entryOf(field);
  if (!at) return 0;
  const op = load<u8>(at);
  if (op == OP_NUMBER) {
    const value = load<f64>(at, 8);
    if (value >= 0 && value <= LARGEST_EXACT && floor(value) == value) return value;
    odd = true;
  } else if (op != OP_KNOWN || load<u32>(at, 4) != SLOT_NULL) odd = true;
  return 0;
}

/** The number of a name; what is not text is no name. */
export function nameOf(field: i32): u32 {
  const at = entryOf(field);
  if (!at || load<u8>(at) != OP_STRING) return NAME_NONE;
  const length = load<u32>(at, 8);
  if (length <= LONGEST_NAME && load<u32>(at, 12) != ENCODING_LONE_SURROGATES) {
    const name = nameNumber(load<u32>(at, 4), length);
    if (name != NAME_NONE) return name;
  }
  odd = true;
  return NAME_NONE;
}

/** The text of the id that was read last. */
export let id: usize = 0;
export let idLength: u32 = 0;

/** An id has to be text. */
export function readId(field: i32): void {
  const at = entryOf(field);
  if (!at || load<u8>(at) != OP_STRING || load<u32>(at, 12) == ENCODING_LONE_SURROGATES) {
    odd = true;
    return;
  }
  id = load<u32>(at, 4);
  idLength = load<u32>(at, 8);
}

/** Whether the event says that it failed. */
export function hasFailed(): bool {
  const at = entryOf(DATA_SUCCESS);
  return at != 0 && load<u8>(at) == OP_KNOWN && load<u32>(at, 4) == SLOT_FALSE;
}

/** The type of the item whose entries lie here, if it is an event; what it holds can be asked from now on. */
export function readEvent(open: usize, end: usize): Type {
  odd = false;
  if (findFields(open, end)) {
    const at = entryOf(EVENT_TYPE);
    if (at && load<u8>(at) == OP_STRING && load<u32>(at, 12) == ENCODING_ASCII)
      return typeOf(load<u32>(at, 4), load<u32>(at, 8));
  }
  odd = true;
  return Type.Other;
}
