import { byType } from './by-type.ts';
import { extent } from './extent.ts';
import { MESSAGE_TYPES, messages } from './messages.ts';
import { countNames } from './names.ts';
import { tokens } from './tokens.ts';
import { tools } from './tools.ts';
import { turns } from './turns.ts';

/** All that is folded over the events of one trajectory. To add a metric, write its fold and give it a line here. */
export const trajectoryMetrics = byType({
  tokens: { types: ['token_usage'], fold: tokens },
  tools: { types: ['tool_call', 'tool_result'], fold: tools },
  skills: {
    types: ['skill_activation'],
    fold: countNames(
      (event) => event.data.name,
      (digest) => digest.skills,
    ),
  },
  turns: { types: ['turn_start', 'turn_end'], fold: turns },
  errors: {
    types: ['error'],
    fold: countNames(
      (event) => event.data.type,
      (digest) => digest.errors,
    ),
  },
  messages: { types: MESSAGE_TYPES, fold: messages },
  extent: { fold: extent },
});

export type TrajectoryResult = ReturnType<typeof trajectoryMetrics.done>;
