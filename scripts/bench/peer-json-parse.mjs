// The usual way: find the line, JSON.parse it, walk its events.
import { openSync, readSync } from 'node:fs';
import { emptyCount, printCount } from './peer-count.mjs';

const input = openSync(process.argv[2], 'r');
const count = emptyCount();

function line(text) {
  const record = JSON.parse(text);
  if (record.type !== 'trial-result') return;
  count.trajectories++;
  for (const { type, data } of record.trajectory?.events ?? []) {
    count.events++;
    if (type === 'token_usage') {
      count.inputTokens += data.inputTokens;
      count.outputTokens += data.outputTokens;
    } else if (type === 'tool_call') {
      count.toolCallCount++;
    }
  }
}

let rest = Buffer.alloc(0);
const chunk = Buffer.allocUnsafe(1 << 20);
for (let size = readSync(input, chunk); size > 0; size = readSync(input, chunk)) {
  let start = 0;
  const bytes = chunk.subarray(0, size);
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const part = bytes.subarray(start, end);
    line((rest.length > 0 ? Buffer.concat([rest, part]) : part).toString());
    rest = rest.subarray(0, 0);
    start = end + 1;
  }
  rest = Buffer.concat([rest, bytes.subarray(start)]);
}
if (rest.length > 0) line(rest.toString());
printCount(count);
