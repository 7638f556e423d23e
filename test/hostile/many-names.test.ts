import { expect, test } from 'vitest';
import { readRows } from '../../src/api.ts';
import { NAMES_PER_TRAJECTORY, OTHER_NAMES } from '../../src/metrics/names.ts';

/** One trajectory that calls more tools than anybody has, every one of them once. */
function* log(tools: number): Generator<Uint8Array> {
  yield Buffer.from('{"status":"success","gradeResult":null,"trajectory":{"id":"t","events":[');
  for (let from = 0; from < tools; from += 1000) {
    const events = Array.from({ length: 1000 }, (_, index) => ({
      type: 'tool_call',
      timestamp: null,
      data: { toolName: `tool ${from + index}`, toolCallId: 'same' },
    }));
    yield Buffer.from((from > 0 ? ',' : '') + JSON.stringify(events).slice(1, -1));
  }
  yield Buffer.from(']}}\n');
}

test('a trajectory with names that never repeat keeps a bounded number of them, and counts all', async () => {
  for await (const rows of readRows([{ name: 'x', chunks: log(50_000) }]))
    for (const { metrics, tools } of rows) {
      expect(metrics.toolCallCount).toBe(50_000);
      expect(Object.keys(tools)).toHaveLength(NAMES_PER_TRAJECTORY + 1);
      expect(tools[OTHER_NAMES].calls).toBe(50_000 - NAMES_PER_TRAJECTORY);
    }
});

test('a tool whose name is a megabyte long is counted under a short one', async () => {
  const event = { type: 'tool_call', timestamp: null, data: { toolName: 'x'.repeat(1_000_000) } };
  const record = { status: 'success', gradeResult: null, trajectory: { id: 't', events: [event, event] } };
  for await (const rows of readRows([{ name: 'x', chunks: [Buffer.from(JSON.stringify(record))] }]))
    for (const { tools } of rows) {
      const [[name, { calls }]] = Object.entries(tools);
      expect(name.length).toBeLessThan(300);
      expect(calls).toBe(2);
    }
});
