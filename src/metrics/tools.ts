import { type CompactNumbers, compact } from '../fold/compact-numbers.ts';
import type { ToolUse } from '../model/row.ts';
import { epochMs } from '../stats/epoch-ms.ts';
import { type Brackets, closeBracket, mergeBrackets, noBrackets, openBracket } from './brackets.ts';
import type { EventFold } from './event-fold.ts';
import { addInterval, addIntervals, type Intervals } from './intervals.ts';
import { countedName } from './names.ts';

interface Call {
  tool: string;
  at: number | null;
}

interface Result {
  tool: string | null;
  at: number | null;
  failed: boolean;
}

export interface ToolState {
  calls: number;
  byTool: Map<string, ToolUse>;
  /** The first latencies of tools that have very many, in little room; null for none. */
  setAside: Map<ToolUse, CompactNumbers[]> | null;
  pairs: Brackets<Call, Result>;
  timed: number;
  busy: Intervals;
}

export interface ToolResult {
  calls: number;
  tools: Map<string, ToolUse>;
  /** Calls whose length is known. */
  timed: number;
  /** When at least one tool was at work; parallel calls count once. */
  busy: Intervals;
}

/** Tool calls with their results: how many, how many failed, how many were never answered, and how long they took. */
export const tools: EventFold<ToolState, ToolResult> = {
  init: () => ({ calls: 0, byTool: new Map(), setAside: null, pairs: noBrackets(), timed: 0, busy: [] }),

  step(state, event) {
    const { data } = event;
    const name = typeof data.toolName === 'string' ? data.toolName : null;
    if (event.type === 'tool_call') {
      const tool = countedName(state.byTool, name);
      state.calls++;
      addCalls(useOf(state, tool), 1);
      openBracket(state.pairs, callKey(data.toolCallId, name), { tool, at: epochMs(event.timestamp) });
    } else if (event.type === 'tool_result') {
      const result = { tool: name, at: epochMs(event.timestamp), failed: data.success === false };
      const call = closeBracket(state.pairs, callKey(data.toolCallId, name), result);
      if (call) answer(state, call, result);
    }
    return state;
  },

  absorb(state, { tools, answers, openCalls }) {
    const names: string[] = [];
    const uses: ToolUse[] = [];
    for (const { name, calls } of tools) {
      const tool = countedName(state.byTool, name);
      const use = useOf(state, tool);
      state.calls += calls;
      addCalls(use, calls);
      names.push(tool);
      uses.push(use);
    }
    for (let at = 0; at < answers.length; at += 4)
      addAnswer(state, uses[answers[at]], answers[at + 1], answers[at + 2], answers[at + 3] === 1);
    for (const { id, tool, at } of openCalls) openBracket(state.pairs, id, { tool: names[tool], at });
    return state;
  },

  merge(left, right) {
    left.calls += right.calls;
    left.timed += right.timed;
    mergeBrackets(left.pairs, right.pairs, (call, result) => answer(left, call, result));
    for (const [name, use] of right.byTool) {
      const own = useOf(left, name);
      own.calls += use.calls;
      own.errors += use.errors;
      own.unanswered += use.unanswered;
      for (const latency of allLatencies(right, use)) addLatency(left, own, latency);
    }
    addIntervals(left.busy, right.busy);
    return left;
  },

  done(state) {
    const failures = state.pairs.orphans.filter(({ close }) => close.failed);
    const result = failures.length === 0 && state.setAside === null ? state.byTool : new Map(state.byTool);
    if (state.setAside !== null)
      for (const [name, use] of result) result.set(name, { ...use, latencyMs: allLatencies(state, use) });
    // A failure whose call the log does not show is still a failure of that tool.
    for (const { close } of failures) {
      const name = countedName(result, close.tool);
      const use = result.get(name) ?? { calls: 0, errors: 0, unanswered: 0, latencyMs: [] };
      result.set(name, { ...use, errors: use.errors + 1 });
    }
    return { calls: state.calls, tools: result, timed: state.timed, busy: state.busy };
  },
};

/** Where a log gives its calls no ids, a result belongs to the latest open call of the same tool. */
function callKey(id: unknown, name: string | null): string {
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? `number ${id}` : `name ${name}`;
}

function answer(state: ToolState, call: Call, result: Result): void {
  addAnswer(state, useOf(state, call.tool), call.at ?? Number.NaN, result.at ?? Number.NaN, result.failed);
}

/** Times are NaN where they are not known. */
function addAnswer(state: ToolState, use: ToolUse, from: number, to: number, failed: boolean): void {
  use.unanswered--;
  if (failed) use.errors++;
  if (!(to >= from)) return;
  addLatency(state, use, to - from);
  state.timed++;
  addInterval(state.busy, from, to);
}

/** A list that is longer than this is set aside. */
const LONG = 8192;

function addLatency(state: ToolState, use: ToolUse, latency: number): void {
  use.latencyMs.push(latency);
  if (use.latencyMs.length < LONG) return;
  state.setAside ??= new Map();
  const before = state.setAside.get(use);
  const numbers = compact(use.latencyMs);
  if (before) before.push(numbers);
  else state.setAside.set(use, [numbers]);
  use.latencyMs = [];
}

function allLatencies({ setAside }: ToolState, use: ToolUse): number[] {
  const lists = setAside?.get(use);
  if (!lists) return use.latencyMs;
  // At its length from the start: a list that grows is copied again and again.
  const all = new Array<number>(lists.length * LONG + use.latencyMs.length);
  let length = 0;
  for (const list of [...lists, use.latencyMs]) for (const latency of list) all[length++] = latency;
  return all;
}

/** Calls are unanswered until their results come: not all that wait for one are remembered. */
function addCalls(use: ToolUse, calls: number): void {
  use.calls += calls;
  use.unanswered += calls;
}

function useOf(state: ToolState, tool: string): ToolUse {
  let use = state.byTool.get(tool);
  if (!use) {
    use = { calls: 0, errors: 0, unanswered: 0, latencyMs: [] };
    state.byTool.set(tool, use);
  }
  return use;
}
