import fc from 'fast-check';
import type { TrajectoryEvent } from '../../src/model/event.ts';

/** Events with few ids, tools and times, so that they meet: calls that overlap, ids used again, results before calls. */
const ids = fc.constantFrom<unknown>('a', 'b', 'a', 1, null, undefined);
const tools = fc.constantFrom<unknown>('read', 'write', '__proto__', undefined);
const times = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 12 }).map((n) => new Date(Date.UTC(2026, 0, 5) + 250 * n).toISOString()) },
  { weight: 1, arbitrary: fc.constantFrom(null, 'yesterday', '2026-01-05T01:00:00+01:00') },
);
const count = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 50 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, -1, 'x', 0.5) },
);

const dataOf: Record<string, fc.Arbitrary<TrajectoryEvent['data']>> = {
  tool_call: fc.record({ toolCallId: ids, toolName: tools }),
  tool_result: fc.record({
    toolCallId: ids,
    toolName: tools,
    success: fc.constantFrom<unknown>(true, false, undefined),
  }),
  token_usage: fc.record({
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    model: fc.constantFrom<unknown>('m', 'n', undefined),
  }),
  turn_start: fc.record({ turnId: fc.constantFrom<unknown>('0', '1', undefined) }),
  turn_end: fc.record({ turnId: fc.constantFrom<unknown>('0', '1', undefined) }),
  skill_activation: fc.record({ name: fc.constantFrom<unknown>('s', 't', 7) }),
  error: fc.record({ type: fc.constantFrom<unknown>('x', '__proto__', undefined) }),
  user_message: fc.constant({}),
  assistant_message: fc.constant({}),
  system: fc.constant({}),
  telemetry: fc.constant({ toolName: 'read' }),
};

export function eventsOf(...types: string[]): fc.Arbitrary<TrajectoryEvent[]> {
  const event = fc.oneof(
    ...types.map((type) => fc.record({ type: fc.constant(type), timestamp: times, data: dataOf[type] })),
  );
  return fc.array(event, { maxLength: 40, size: 'max' });
}

export const anyEvents = eventsOf(...Object.keys(dataOf));
