import type { MessageCounts } from '../model/row.ts';
import type { EventFold } from './event-fold.ts';

const ROLE_OF: Record<string, keyof MessageCounts> = {
  system: 'system',
  user_message: 'user',
  assistant_message: 'assistant',
  tool_result: 'tool',
};

export const MESSAGE_TYPES = Object.keys(ROLE_OF);

/** Messages by role; a tool's message is its result. */
export const messages: EventFold<MessageCounts, MessageCounts> = {
  init: () => ({ system: 0, user: 0, assistant: 0, tool: 0 }),
  step(counts, event) {
    counts[ROLE_OF[event.type]]++;
    return counts;
  },
  absorb: (counts, digest) => add(counts, digest.messages),
  merge: add,
  done: (counts) => counts,
};

function add(counts: MessageCounts, more: Readonly<MessageCounts>): MessageCounts {
  counts.system += more.system;
  counts.user += more.user;
  counts.assistant += more.assistant;
  counts.tool += more.tool;
  return counts;
}
