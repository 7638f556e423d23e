/**
 * The forms of streamed items: which fields, objects and ends of objects follow one another in their entries. Most items
 * of a log have one of a few forms; a form gets a number, so that the host can build items of it by a function made for
 * that form, all at once, instead of entry by entry.
 */
import {
  OP_CLOSE,
  OP_LENGTH,
  OP_NEW_STRING,
  OP_NUMBER_TEXT,
  OP_OPEN_OBJECT,
  OP_STRING,
  OP_TIME_TEXT,
} from '../codes';
import { FORM_ENTRY_SIZE, FORM_SLOTS, formsStart } from './layout';

/** A tree of all forms so far, as a hash table: from what came before, and what comes next, to both together. */
let steps: u32 = 0;

const ENTRY_SIZE: usize = 16;

export function forgetForms(): void {
  memory.fill(formsStart, 0, FORM_SLOTS * FORM_ENTRY_SIZE);
  steps = 0;
}

/** The number of the form of the item whose entries lie here; 0 where it has none, as with lists and nested streams. */
export function formOf(open: usize, end: usize): u32 {
  let form: u32 = 0;
  for (let at = open + ENTRY_SIZE; at < end; at += ENTRY_SIZE) {
    const head = load<u32>(at);
    const op = <i32>(head & 0xff);
    let kind = OP_STRING;
    if (op > OP_NEW_STRING && op != OP_STRING) {
      if (op == OP_OPEN_OBJECT || op == OP_CLOSE) kind = op;
      else if (op < OP_LENGTH || op > OP_TIME_TEXT) return 0;
    }
    form = stepFrom(form, (head & ~0xff) | kind);
    if (form == 0) return 0;
  }
  return form;
}

function stepFrom(form: u32, next: u32): u32 {
  const key = ((<u64>form << 32) | next) + 1;
  let slot = <u32>((key * 0x9e3779b97f4a7c15) >> 40) & (FORM_SLOTS - 1);
  while (true) {
    const entry = formsStart + slot * FORM_ENTRY_SIZE;
    const found = load<u64>(entry);
    if (found == key) return load<u32>(entry, 8);
    if (found == 0) {
      // Half full is enough: a log with so many forms has none that repeats.
      if (steps >= FORM_SLOTS / 2) return 0;
      store<u64>(entry, key);
      store<u32>(entry, ++steps, 8);
      return steps;
    }
    slot = (slot + 1) & (FORM_SLOTS - 1);
  }
}
