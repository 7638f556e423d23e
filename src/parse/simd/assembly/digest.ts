/**
 * Folds events where they were scanned, so that the host hears of some hundred events as of one digest: sums, counts by
 * name, and calls with their answers. What the numbers mean is for src/metrics to say; here is only what an event adds
 * to them. An event with anything odd about it is refused, and then goes to the host like any other item: there nothing
 * is odd. So this code knows the usual forms, and the folds in src/metrics know them all.
 */
import {
  DATA_CACHE_READ_TOKENS,
  DATA_CACHE_WRITE_TOKENS,
  DATA_INPUT_TOKENS,
  DATA_MODEL,
  DATA_NAME,
  DATA_OUTPUT_TOKENS,
  DATA_TOOL_CALL_ID,
  DATA_TOOL_NAME,
  DATA_TURN_ID,
  DATA_TYPE,
  OP_ANSWER,
  OP_DIGEST,
  OP_ERROR,
  OP_MODEL,
  OP_OPEN_CALL,
  OP_OPEN_TURN,
  OP_SKILL,
  OP_TOOL,
  OP_TURN,
} from '../codes';
import { hash, sameBytes } from './bytes';
import { countOf, EVENT_SIZE, hasFailed, id, idLength, LARGEST_EXACT, nameOf, odd, readEvent, readId, timeOf, Type } from './event';
import { digestStart, rewindTapeTo, tape, write, writeNumbers } from './layout';

// ── the digest so far ──

let any: bool = false;
let first: f64 = NaN;
let last: f64 = NaN;
let modelCalls: u32 = 0;
let inputTokens: f64 = 0;
let outputTokens: f64 = 0;
let cacheReadTokens: f64 = 0;
let cacheWriteTokens: f64 = 0;
let turnEnds: u32 = 0;
let systemMessages: u32 = 0;
let userMessages: u32 = 0;
let assistantMessages: u32 = 0;
let toolMessages: u32 = 0;

// Lists, each of them short, because a full one only ends the digest.

/** Name and number. */
const COUNT_SIZE: usize = 8;
const MOST_NAMES: usize = 16;
const tools: usize = digestStart + EVENT_SIZE;
const skills: usize = tools + MOST_NAMES * COUNT_SIZE;
const errors: usize = skills + MOST_NAMES * COUNT_SIZE;
/** Name, calls, input and output tokens. */
const MODEL_SIZE: usize = 24;
const models: usize = errors + MOST_NAMES * COUNT_SIZE;
/** Id (address, length, hash), tool and time. */
const OPEN_SIZE: usize = 24;
const MOST_OPEN: usize = 32;
const calls: usize = models + MOST_NAMES * MODEL_SIZE;
const turns: usize = calls + MOST_OPEN * OPEN_SIZE;

let toolsEnd: usize = tools;
let skillsEnd: usize = skills;
let errorsEnd: usize = errors;
let modelsEnd: usize = models;
let callsEnd: usize = calls;
let turnsEnd: usize = turns;

/** Room for one more in every list. */
@inline
function isFull(): bool {
  const named = (MOST_NAMES - 1) * COUNT_SIZE;
  const open = (MOST_OPEN - 1) * OPEN_SIZE;
  return (
    toolsEnd > tools + named ||
    skillsEnd > skills + named ||
    errorsEnd > errors + named ||
    modelsEnd > models + (MOST_NAMES - 1) * MODEL_SIZE ||
    callsEnd > calls + open ||
    turnsEnd > turns + open
  );
}

export function forgetDigest(): void {
  any = false;
  first = NaN;
  last = NaN;
  modelCalls = 0;
  inputTokens = 0;
  outputTokens = 0;
  cacheReadTokens = 0;
  cacheWriteTokens = 0;
  turnEnds = 0;
  systemMessages = 0;
  userMessages = 0;
  assistantMessages = 0;
  toolMessages = 0;
  toolsEnd = tools;
  skillsEnd = skills;
  errorsEnd = errors;
  modelsEnd = models;
  callsEnd = calls;
  turnsEnd = turns;
}

/** Counts this name in a list, and gives its place there; at the end, if it is new. */
function count(list: usize, end: usize, size: usize, name: u32): usize {
  let at = list;
  while (at < end && load<u32>(at) != name) at += size;
  if (at == end) {
    store<u64>(end, <u64>name);
    for (let more = end + 8; more < end + size; more += 8) store<u64>(more, 0);
  }
  store<u32>(at, load<u32>(at, 4) + 1, 4);
  return at;
}

function open(at: usize, tool: u32, time: f64): void {
  store<u32>(at, <u32>id);
  store<u32>(at, idLength, 4);
  store<u32>(at, hash(id, idLength), 8);
  store<u32>(at, tool, 12);
  store<f64>(at, time, 16);
}

/** The latest one in a list that is open under the id, or 0. */
function findOpen(list: usize, end: usize): usize {
  const wanted = hash(id, idLength);
  for (let at = end; at > list; ) {
    at -= OPEN_SIZE;
    if (load<u32>(at, 8) == wanted && load<u32>(at, 4) == idLength && sameBytes(load<u32>(at), id, idLength)) return at;
  }
  return 0;
}

@inline
function removeOpen(at: usize, end: usize): usize {
  for (let next = at + OPEN_SIZE; next < end; next += 8) store<u64>(next - OPEN_SIZE, load<u64>(next));
  return end - OPEN_SIZE;
}

/** Takes the item whose entries lie here into the digest and off the tape; or leaves both as they are, and says false. */
export function digestItem(opened: usize, end: usize): bool {
  const type = readEvent(opened, end);
  if (odd) return false;
  const time = timeOf();
  if (odd) return false;
  switch (type) {
    case Type.ToolCall: {
      readId(DATA_TOOL_CALL_ID);
      const name = nameOf(DATA_TOOL_NAME);
      if (odd) return false;
      begin(opened);
      const tool = count(tools, toolsEnd, COUNT_SIZE, name);
      if (tool == toolsEnd) toolsEnd += COUNT_SIZE;
      open(callsEnd, <u32>((tool - tools) / COUNT_SIZE), time);
      callsEnd += OPEN_SIZE;
      break;
    }
    case Type.ToolResult: {
      readId(DATA_TOOL_CALL_ID);
      if (odd) return false;
      const call = findOpen(calls, callsEnd);
      if (!call) return false;
      const failed = hasFailed();
      // Not `begin`: a digest may end before an event, but then the call is no longer open here.
      rewindTapeTo(opened);
      any = true;
      write(OP_ANSWER, failed ? 1 : 0, load<u32>(call, 12), 0, 0);
      writeNumbers(load<f64>(call, 16), time);
      callsEnd = removeOpen(call, callsEnd);
      toolMessages++;
      break;
    }
    case Type.TokenUsage: {
      const input = countOf(DATA_INPUT_TOKENS);
      const output = countOf(DATA_OUTPUT_TOKENS);
      const cacheRead = countOf(DATA_CACHE_READ_TOKENS);
      const cacheWrite = countOf(DATA_CACHE_WRITE_TOKENS);
      const name = nameOf(DATA_MODEL);
      if (odd) return false;
      begin(opened);
      if (max(max(inputTokens + input, outputTokens + output), max(cacheReadTokens + cacheRead, cacheWriteTokens + cacheWrite)) > LARGEST_EXACT)
        writeDigest();
      any = true;
      inputTokens += input;
      outputTokens += output;
      cacheReadTokens += cacheRead;
      cacheWriteTokens += cacheWrite;
      modelCalls++;
      const model = count(models, modelsEnd, MODEL_SIZE, name);
      if (model == modelsEnd) modelsEnd += MODEL_SIZE;
      store<f64>(model, load<f64>(model, 8) + input, 8);
      store<f64>(model, load<f64>(model, 16) + output, 16);
      break;
    }
    case Type.TurnStart: {
      readId(DATA_TURN_ID);
      if (odd) return false;
      begin(opened);
      if (!isNaN(time)) {
        open(turnsEnd, 0, time);
        turnsEnd += OPEN_SIZE;
      }
      break;
    }
    case Type.TurnEnd: {
      readId(DATA_TURN_ID);
      if (odd) return false;
      const turn = isNaN(time) ? 0 : findOpen(turns, turnsEnd);
      if (!turn && !isNaN(time)) return false;
      rewindTapeTo(opened);
      any = true;
      turnEnds++;
      if (turn) {
        write(OP_TURN, 0, 0, 0, 0);
        writeNumbers(load<f64>(turn, 16), time);
        turnsEnd = removeOpen(turn, turnsEnd);
      }
      break;
    }
    case Type.SkillActivation: {
      const name = nameOf(DATA_NAME);
      if (odd) return false;
      begin(opened);
      const skill = count(skills, skillsEnd, COUNT_SIZE, name);
      if (skill == skillsEnd) skillsEnd += COUNT_SIZE;
      break;
    }
    case Type.Error: {
      const name = nameOf(DATA_TYPE);
      if (odd) return false;
      begin(opened);
      const error = count(errors, errorsEnd, COUNT_SIZE, name);
      if (error == errorsEnd) errorsEnd += COUNT_SIZE;
      break;
    }
    case Type.System:
      begin(opened);
      systemMessages++;
      break;
    case Type.UserMessage:
      begin(opened);
      userMessages++;
      break;
    case Type.AssistantMessage:
      begin(opened);
      assistantMessages++;
      break;
    default:
      begin(opened);
  }
  if (!isNaN(time)) {
    if (!(first <= time)) first = time;
    if (!(last >= time)) last = time;
  }
  return true;
}

/** The event is taken: its entries leave the tape, where a full digest may take their place. */
function begin(opened: usize): void {
  rewindTapeTo(opened);
  if (isFull()) writeDigest();
  any = true;
}

/** Puts the digest on the tape, before the entries from here on, and begins a new one. */
export function endDigest(before: usize): void {
  if (!any) return;
  const waiting = tape - before;
  if (waiting == 0) {
    writeDigest();
    return;
  }
  // Written behind them, and then they change places, by way of the lists, which are empty now.
  const start = tape;
  writeDigest();
  const size = tape - start;
  memory.copy(tools, start, size);
  memory.copy(before + size, before, waiting);
  memory.copy(before, tools, size);
}

function writeDigest(): void {
  for (let at = tools; at < toolsEnd; at += COUNT_SIZE) write(OP_TOOL, 0, load<u32>(at), load<u32>(at, 4), 0);
  for (let at = calls; at < callsEnd; at += OPEN_SIZE) {
    write(OP_OPEN_CALL, 0, load<u32>(at), load<u32>(at, 4), load<u32>(at, 12));
    writeNumbers(load<f64>(at, 16), 0);
  }
  for (let at = turns; at < turnsEnd; at += OPEN_SIZE) {
    write(OP_OPEN_TURN, 0, load<u32>(at), load<u32>(at, 4), 0);
    writeNumbers(load<f64>(at, 16), 0);
  }
  for (let at = models; at < modelsEnd; at += MODEL_SIZE) {
    write(OP_MODEL, 0, load<u32>(at), load<u32>(at, 4), 0);
    writeNumbers(load<f64>(at, 8), load<f64>(at, 16));
  }
  for (let at = skills; at < skillsEnd; at += COUNT_SIZE) write(OP_SKILL, 0, load<u32>(at), load<u32>(at, 4), 0);
  for (let at = errors; at < errorsEnd; at += COUNT_SIZE) write(OP_ERROR, 0, load<u32>(at), load<u32>(at, 4), 0);
  write(OP_DIGEST, 0, modelCalls, turnEnds, 0);
  writeNumbers(first, last);
  writeNumbers(inputTokens, outputTokens);
  writeNumbers(cacheReadTokens, cacheWriteTokens);
  writeNumbers(systemMessages, userMessages);
  writeNumbers(assistantMessages, toolMessages);
  forgetDigest();
}
