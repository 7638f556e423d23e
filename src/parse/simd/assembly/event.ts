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
export const EVENT_SIZE: usize = 64;

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

function typeOf(text: usize, length: u32): Type {
  switch (length) {
    case 5:
      return spells(text, 'error') ? Type.Error : Type.Other;
    case 6:
      return spells(text, 'system') ? Type.System : Type.Other;
    case 8:
      return spells(text, 'turn_end') ? Type.TurnEnd : Type.Other;
    case 9:
      return spells(text, 'tool_call') ? Type.ToolCall : Type.Other;
    case 10:
      return spells(text, 'turn_start') ? Type.TurnStart : Type.Other;
    case 11:
      if (spells(text, 'tool_result')) return Type.ToolResult;
      return spells(text, 'token_usage') ? Type.TokenUsage : Type.Other;
    case 12:
      return spells(text, 'user_message') ? Type.UserMessage : Type.Other;
    case 16:
      return spells(text, 'skill_activation') ? Type.SkillActivation : Type.Other;
    case 17:
      return spells(text, 'assistant_message') ? Type.AssistantMessage : Type.Other;
    default:
      return Type.Other;
  }
}

/** Whether these bytes are the word, whose length they have. */
function spells(text: usize, word: string): bool {
  for (let i = 0; i < word.length; i++) if (<i32>load<u8>(text + i) != word.charCodeAt(i)) return false;
  return true;
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
