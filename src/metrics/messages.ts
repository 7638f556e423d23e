import type { Fold } from '../fold/fold.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { MessageCounts } from '../model/row.ts';

const ROLE_OF: Record<string, keyof MessageCounts> = {
  system: 'system',
  user_message: 'user',
  assistant_message: 'assistant',
  tool_result: 'tool',
};

export const MESSAGE_TYPES = Object.keys(ROLE_OF);

/** Messages by role; a tool's message is its result. */
export const messages: Fold<TrajectoryEvent, MessageCounts, MessageCounts> = {
  init: () => ({ system: 0, user: 0, assistant: 0, tool: 0 }),
  step(counts, event) {
    counts[ROLE_OF[event.type]]++;
    return counts;
  },
  merge(left, right) {
    left.system += right.system;
    left.user += right.user;
    left.assistant += right.assistant;
    left.tool += right.tool;
    return left;
  },
  done: (counts) => counts,
};
