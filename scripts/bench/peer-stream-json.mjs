// stream-json's tokens of a results.jsonl, without building any value.
import { createReadStream } from 'node:fs';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser } from 'stream-json/core/parser.js';
import { emptyCount, printCount } from './peer-count.mjs';

const EVENT = 4; // record, trajectory, events, event
const count = emptyCount();
const parse = jsonParser({
  jsonStreaming: true,
  packKeys: true,
  packStrings: false,
  packNumbers: true,
  streamNumbers: false,
});
const decoder = new TextDecoder();
const path = []; // the key of each open object and array; null in an array
let key = null;

function token({ name, value }) {
  if (name === 'keyValue') {
    key = value;
    if (path.length === 1 && key === 'trajectory') count.trajectories++;
  } else if (name === 'startObject' || name === 'startArray') {
    path.push(key);
    if (path[1] === 'trajectory' && path[2] === 'events') {
      if (path.length === EVENT) count.events++;
      else if (path.length === EVENT + 2 && key === 'arguments') count.toolCallCount++;
    }
    key = null;
  } else if (name === 'endObject' || name === 'endArray') {
    path.pop();
    key = null;
  } else if (name === 'numberValue' && path.length === EVENT + 1 && path[2] === 'events') {
    if (key === 'inputTokens') count.inputTokens += Number(value);
    else if (key === 'outputTokens') count.outputTokens += Number(value);
  }
}

function feed(text) {
  const tokens = parse(text);
  if (tokens === none) return;
  for (const one of isMany(tokens) ? getManyValues(tokens) : [tokens]) token(one);
}

for await (const chunk of createReadStream(process.argv[2])) feed(decoder.decode(chunk, { stream: true }));
feed(none);
printCount(count);
