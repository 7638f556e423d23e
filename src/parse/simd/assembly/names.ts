/** Names that digests speak of by number: of tools, models, skills and errors. A log has few of them. */
import { NAME_NONE, NAME_SIZE, NAME_SLOTS } from '../codes';
import { hash, sameBytes } from './bytes';
import { namesStart } from './layout';

export const LONGEST_NAME: u32 = NAME_SIZE - 1;

let known: u32 = 0;

export function forgetNames(): void {
  if (known) memory.fill(namesStart, 0, NAME_SLOTS * NAME_SIZE);
  known = 0;
}

/** How many there are. */
export function namesKnown(): u32 {
  return known;
}

/** The number of this name, or none if there are too many. */
export function nameNumber(text: usize, length: u32): u32 {
  let slot = hash(text, length) & (NAME_SLOTS - 1);
  while (true) {
    const entry = namesStart + <usize>slot * NAME_SIZE;
    const found = <u32>load<u8>(entry, NAME_SIZE - 1);
    if (found == length + 1 && sameBytes(entry, text, length)) return slot;
    if (found == 0) {
      // Half full is enough; a log that has more names is not in a hurry.
      if (known >= <u32>NAME_SLOTS / 2) return NAME_NONE;
      known++;
      memory.copy(entry, text, length);
      store<u8>(entry, <u8>(length + 1), NAME_SIZE - 1);
      return slot;
    }
    slot = (slot + 1) & (NAME_SLOTS - 1);
  }
}
