/** `TrajectoryMetrics` of the vally format, with null wherever a log does not carry the number. */
export interface TrajectoryMetrics {
  tokenUsage: TokenUsage | null;
  toolCallCount: number | null;
  toolCallBreakdown: Record<string, number>;
  skillActivationCount: number | null;
  skillActivationBreakdown: Record<string, number>;
  turnCount: number | null;
  wallTimeMs: number | null;
  errorCount: number | null;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** Input plus output; cache reads and writes are part of the input. */
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  callCount: number;
  byModel: Record<string, ModelUsage>;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  callCount: number;
}
