/** Makes a tape that stands for itself: the texts that it points to are gathered, so that both can go to another thread. */
import {
  OP_ANSWER,
  OP_BAD,
  OP_CHECK_KEY,
  OP_DIGEST,
  OP_FOLDED_PIECE,
  OP_MODEL,
  OP_NEW_STRING,
  OP_NUMBER_TEXT,
  OP_OPEN_CALL,
  OP_OPEN_TURN,
  OP_RECORD,
  OP_STRING,
  OP_TAIL,
  OP_TIME_TEXT,
  OP_TURN,
} from '../codes';
import { packStart, tape, tapeStart } from './layout';

const ENTRY_SIZE: usize = 16;

function hasText(op: i32): bool {
  return (
    op == OP_NEW_STRING ||
    (op >= OP_STRING && op <= OP_FOLDED_PIECE) ||
    op == OP_NUMBER_TEXT ||
    op == OP_TIME_TEXT ||
    op == OP_OPEN_CALL ||
    op == OP_OPEN_TURN
  );
}

function entriesOf(op: i32): usize {
  switch (op) {
    case OP_CHECK_KEY:
    case OP_RECORD:
    case OP_TAIL:
    case OP_ANSWER:
    case OP_TURN:
    case OP_OPEN_CALL:
    case OP_OPEN_TURN:
    case OP_MODEL:
      return 2;
    case OP_BAD:
      return 3;
    case OP_DIGEST:
      return 6;
    default:
      return 1;
  }
}

/** How long the texts are, all together. */
export function textLength(): usize {
  let length: usize = 0;
  for (let at = tapeStart; at < tape; ) {
    const op = <i32>(load<u32>(at) & 0xff);
    if (hasText(op)) length += load<u32>(at, 8);
    at += entriesOf(op) * ENTRY_SIZE;
  }
  return length;
}

/** The texts will lie at `base`; gives their length. */
export function packTape(base: u32): usize {
  let packed = packStart;
  for (let at = tapeStart; at < tape; ) {
    const op = <i32>(load<u32>(at) & 0xff);
    if (hasText(op)) {
      const length = <usize>load<u32>(at, 8);
      memory.copy(packed, load<u32>(at, 4), length);
      store<u32>(at, base + <u32>(packed - packStart), 4);
      packed += length;
    }
    at += entriesOf(op) * ENTRY_SIZE;
  }
  return packed - packStart;
}
