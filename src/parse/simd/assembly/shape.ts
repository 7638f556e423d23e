/** The shape tables, which the host has written: nodes, and the fields of each in hash buckets. */
import { Field, Node } from '../codes';
import { hash, sameBytes } from './bytes';
import { CACHE_ENTRY_SIZE, CACHE_SLOT_BITS, cacheStart, tablesStart } from './layout';

// @ts-ignore: decorator
@inline
export function nodeWord(node: u32, word: Node): u32 {
  return load<u32>(tablesStart + (<usize>node * Node.Words + word) * 4);
}

/** Address of the field that has this key, or 0. */
// @ts-ignore: decorator
@inline
export function findField(node: u32, key: usize, length: usize): usize {
  const buckets = <usize>nodeWord(node, Node.Buckets);
  if (!buckets) return 0;
  const bucket = hash(key, length) & nodeWord(node, Node.BucketMask);
  let field = <usize>load<u32>(buckets + <usize>bucket * 4);
  while (field) {
    if (fieldWord(field, Field.KeyLength) == length && sameBytes(fieldWord(field, Field.KeyAddress), key, length)) break;
    field = fieldWord(field, Field.Next);
  }
  return field;
}

// @ts-ignore: decorator
@inline
export function fieldWord(field: usize, word: Field): u32 {
  return load<u32>(field + word * 4);
}

// ── the string cache ──
// Types, models, ids and tool names come again and again: the host keeps their strings, this side their bytes.

/** The cache's entries hold a length and the bytes. */
export const LONGEST_CACHED: usize = CACHE_ENTRY_SIZE - 1;

/** Whether the last string looked up was in its slot; if not, it is now. */
export let cacheHit: bool = false;

// @ts-ignore: decorator
@inline
export function cacheSlot(text: usize, length: usize): u32 {
  const slot = hash(text, length) >> (32 - CACHE_SLOT_BITS);
  const entry = cacheStart + <usize>slot * CACHE_ENTRY_SIZE;
  cacheHit = <usize>load<u8>(entry + LONGEST_CACHED) == length && sameBytes(entry, text, length);
  if (!cacheHit) {
    store<u8>(entry + LONGEST_CACHED, <u8>length);
    memory.copy(entry, text, length);
  }
  return slot;
}
