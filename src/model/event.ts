/**
 * The event model that every format is mapped onto (the one of vally). Unknown types are kept as they are, so `type`
 * is open; the fields of `data` are those that the folds read, all of them optional because logs are not to be trusted.
 */
export interface TrajectoryEvent {
  type: string;
  /** As in the log, ISO 8601 where the log has epoch seconds, or milliseconds since 1970; null where it has none. */
  timestamp: string | number | null;
  data: EventData;
  turn?: number;
}

export interface EventData {
  toolName?: unknown;
  toolCallId?: unknown;
  success?: unknown;
  inputTokens?: unknown;
  outputTokens?: unknown;
  cacheReadTokens?: unknown;
  cacheWriteTokens?: unknown;
  model?: unknown;
  turnId?: unknown;
  name?: unknown;
  type?: unknown;
  [key: string]: unknown;
}
