/**
 * What some events of a trajectory that follow one another come to. A parser that can may hand it over instead of the
 * events, and every fold over events can take it instead of them. Names are null where there is none.
 */
export interface EventDigest {
  /** The earliest and the latest timestamp, in milliseconds since 1970; null for none. */
  first: number | null;
  last: number | null;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  models: { name: string | null; calls: number; inputTokens: number; outputTokens: number }[];
  tools: { name: string | null; calls: number }[];
  /** Calls with their results, four numbers each: which of the tools, the times of both (NaN: none), 1 if it failed. */
  answers: number[];
  /** Calls that have no result yet; `tool` is which of the tools. */
  openCalls: { id: string; tool: number; at: number | null }[];
  turnEnds: number;
  /** Turns, two numbers each: when they started and ended. */
  turns: number[];
  openTurns: { id: string; at: number }[];
  skills: NameCount[];
  errors: NameCount[];
  messages: { system: number; user: number; assistant: number; tool: number };
}

export interface NameCount {
  name: string | null;
  count: number;
}
