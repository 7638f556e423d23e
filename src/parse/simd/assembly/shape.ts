/** The shape tables, which the host has written: nodes, and the fields of each in hash buckets. */
import {
  CACHE_SLOTS,
  FIELD_KEY_ADDRESS,
  FIELD_KEY_LENGTH,
  FIELD_NEXT,
  NODE_BUCKET_MASK,
  NODE_BUCKETS,
  NODE_FIRST,
  NODE_WORDS,
  SLOT_NONE,
} from '../codes';
import { hash, sameBytes } from './bytes';
import { CACHE_ENTRY_SIZE, cacheStart, tablesStart } from './layout';

@inline
export function nodeWord(node: u32, word: i32): u32 {
  return load<u32>(tablesStart + (<usize>node * NODE_WORDS + word) * 4);
}

/** Address of the field that has this key, or 0. */
@inline
export function findField(node: u32, key: usize, length: usize): usize {
  const buckets = <usize>nodeWord(node, NODE_BUCKETS);
  if (!buckets) return 0;
  const bucket = hash(key, length) & nodeWord(node, NODE_BUCKET_MASK);
  let field = <usize>load<u32>(buckets + <usize>bucket * 4);
  while (field) {
    if (hasKey(field, key, length)) break;
    field = fieldWord(field, FIELD_NEXT);
  }
  return field;
}

@inline
export function hasKey(field: usize, key: usize, length: usize): bool {
  return fieldWord(field, FIELD_KEY_LENGTH) == length && sameBytes(fieldWord(field, FIELD_KEY_ADDRESS), key, length);
}

/** Where it is noted which field of a node comes first. */
@inline
export function firstField(node: u32): usize {
  return tablesStart + (<usize>node * NODE_WORDS + NODE_FIRST) * 4;
}

@inline
export function fieldWord(field: usize, word: i32): u32 {
  return load<u32>(field + word * 4);
}

// ── the string cache ──
// Types, models, ids and tool names come again and again: the host keeps their strings, this side their bytes. A string
// is kept from the second time on, since most of those that come only once, such as timestamps, never come again.

/** An entry holds the bytes, and at its end their number and two marks. */
export const LONGEST_CACHED: usize = CACHE_ENTRY_SIZE - 1;
const LENGTH: u8 = 0x3f;
/** The host keeps the string. */
const KEPT: u8 = 0x40;
/** It has come again since another one wanted its slot. */
const RECENT: u8 = 0x80;

/** Whether the host knows the last string looked up. */
export let cacheHit: bool = false;

/** The slot by which the host knows the string, or shall know it from now on; or none. */
@inline
export function cacheSlot(text: usize, length: usize): u32 {
  const slot = hash(text, length) & (CACHE_SLOTS - 1);
  const entry = cacheStart + <usize>slot * CACHE_ENTRY_SIZE;
  const marks = load<u8>(entry + LONGEST_CACHED);
  if (<usize>(marks & LENGTH) == length && sameBytes(entry, text, length)) {
    cacheHit = (marks & KEPT) != 0;
    store<u8>(entry + LONGEST_CACHED, <u8>length | KEPT | RECENT);
    return slot;
  }
  cacheHit = false;
  if (marks & RECENT) store<u8>(entry + LONGEST_CACHED, marks ^ RECENT);
  else {
    // All of the entry, whatever follows the text: cheaper than to copy a part.
    for (let at: usize = 0; at < CACHE_ENTRY_SIZE; at += 16) v128.store(entry + at, v128.load(text + at));
    store<u8>(entry + LONGEST_CACHED, <u8>length);
  }
  return SLOT_NONE;
}
