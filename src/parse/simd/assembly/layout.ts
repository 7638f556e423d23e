/**
 * Where things lie in memory:
 *
 *   nine inputs │ tape │ arena │ string cache │ forms of items │ names │ digest │ pack │ shape tables │ stack,
 *   which grows
 */
import { CACHE_SLOTS, NAME_SIZE, NAME_SLOTS } from '../codes';

/** Vectors are loaded up to this far around the input. */
const SLACK: usize = 128;
export const INPUT_SIZE: usize = 1 << 20;
/** Eight that the host may read files into, some while others are scanned; and one for what it has to copy. */
export const INPUTS: usize = 9;
export const INPUT_STEP: usize = INPUT_SIZE + SLACK;
export const TAPE_SIZE: usize = 1 << 16;
/** More than a digest takes, in its own lists or on the tape. */
export const DIGEST_SIZE: usize = 1 << 13;
/** The tape is walked when less than this is left, so that no step has to ask, and a digest always fits. */
const TAPE_RESERVE: usize = 512 + DIGEST_SIZE;
/** A text that grows longer than this is handed over in pieces. */
export const PIECE_SIZE: usize = 1 << 15;
/** Decoding never makes a text longer, and respelling a number only a little, so one input and one piece always fit. */
const ARENA_SIZE: usize = INPUT_SIZE + INPUT_SIZE / 4 + PIECE_SIZE + SLACK;

/** All that a tape can point to. */
export const PACK_SIZE: usize = INPUT_SIZE + ARENA_SIZE;

export const CACHE_ENTRY_SIZE: usize = 64;
const CACHE_SIZE: usize = CACHE_ENTRY_SIZE * CACHE_SLOTS;

/** A power of two. */
export const FORM_SLOTS: u32 = 2048;
export const FORM_ENTRY_SIZE: usize = 16;

const PAGE: usize = 65536;

/** Beyond the compiler's own data; a constant, so that all addresses are. */
export const DATA_END: usize = 4096;
export const inputStart: usize = DATA_END + SLACK;
export const tapeStart: usize = inputStart + INPUTS * INPUT_STEP;
export const tapeLimit: usize = tapeStart + TAPE_SIZE - TAPE_RESERVE;
export const arenaStart: usize = tapeStart + TAPE_SIZE;
export const cacheStart: usize = arenaStart + ARENA_SIZE;
export const formsStart: usize = cacheStart + CACHE_SIZE;
export const namesStart: usize = formsStart + FORM_SLOTS * FORM_ENTRY_SIZE;
export const digestStart: usize = namesStart + NAME_SLOTS * NAME_SIZE;
export const packStart: usize = digestStart + DIGEST_SIZE;
export const tablesStart: usize = packStart + PACK_SIZE;

/** Makes memory reach at least this far, doubling it where it has to grow. */
export function reach(address: usize): void {
  const have = <usize>memory.size() * PAGE;
  if (address <= have) return;
  const need = <i32>((address - have + PAGE - 1) / PAGE);
  const more = max(need, min(<i32>memory.size(), 1024));
  if (memory.grow(more) < 0 && memory.grow(need) < 0) unreachable();
}

// ── the tape ──

export let tape: usize = tapeStart;

export function rewindTape(): void {
  tape = tapeStart;
}

/** Takes the entries from here on back. */
export function rewindTapeTo(address: usize): void {
  tape = address;
}

@inline
export function write(op: i32, field: u32, a: u32, b: u32, c: u32): void {
  const at = tape;
  store<u32>(at, <u32>op | (field << 8));
  store<u32>(at, a, 4);
  store<u32>(at, b, 8);
  store<u32>(at, c, 12);
  tape = at + 16;
}

@inline
export function writeNumber(op: i32, field: u32, a: u32, value: f64): void {
  const at = tape;
  store<u32>(at, <u32>op | (field << 8));
  store<u32>(at, a, 4);
  store<f64>(at, value, 8);
  tape = at + 16;
}

@inline
export function writeNumbers(a: f64, b: f64): void {
  store<f64>(tape, a);
  store<f64>(tape, b, 8);
  tape += 16;
}
