import type { Fold } from '../fold/fold.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { ModelUsage, TokenUsage } from '../model/metrics.ts';

export interface TokenState extends Omit<TokenUsage, 'totalTokens' | 'byModel'> {
  byModel: Map<string, ModelUsage>;
  /** Counts that are there and are not numbers of tokens. */
  invalid: number;
}

export interface TokenResult {
  usage: TokenUsage | null;
  invalid: number;
}

/** Sums over `token_usage` events. Without any, the log carries no usage: null, not zero. */
export const tokens: Fold<TrajectoryEvent, TokenState, TokenResult> = {
  init: () => ({
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    callCount: 0,
    byModel: new Map(),
    invalid: 0,
  }),

  step(state, { data }) {
    const input = tokenCount(state, data.inputTokens);
    const output = tokenCount(state, data.outputTokens);
    state.inputTokens += input;
    state.outputTokens += output;
    state.cacheReadTokens += tokenCount(state, data.cacheReadTokens);
    state.cacheWriteTokens += tokenCount(state, data.cacheWriteTokens);
    state.callCount++;
    const model = usageOf(state.byModel, typeof data.model === 'string' ? data.model : '(unknown)');
    model.inputTokens += input;
    model.outputTokens += output;
    model.callCount++;
    return state;
  },

  merge(left, right) {
    left.inputTokens += right.inputTokens;
    left.outputTokens += right.outputTokens;
    left.cacheReadTokens += right.cacheReadTokens;
    left.cacheWriteTokens += right.cacheWriteTokens;
    left.callCount += right.callCount;
    left.invalid += right.invalid;
    for (const [name, usage] of right.byModel) {
      const model = usageOf(left.byModel, name);
      model.inputTokens += usage.inputTokens;
      model.outputTokens += usage.outputTokens;
      model.callCount += usage.callCount;
    }
    return left;
  },

  done: (state) => ({ usage: state.callCount === 0 ? null : tokenUsage(state), invalid: state.invalid }),
};

export function tokenUsage(state: TokenState): TokenUsage {
  return {
    inputTokens: state.inputTokens,
    outputTokens: state.outputTokens,
    totalTokens: state.inputTokens + state.outputTokens,
    cacheReadTokens: state.cacheReadTokens,
    cacheWriteTokens: state.cacheWriteTokens,
    callCount: state.callCount,
    byModel: Object.fromEntries(state.byModel),
  };
}

function usageOf(byModel: Map<string, ModelUsage>, name: string): ModelUsage {
  let usage = byModel.get(name);
  if (!usage) {
    usage = { inputTokens: 0, outputTokens: 0, callCount: 0 };
    byModel.set(name, usage);
  }
  return usage;
}

function tokenCount(state: TokenState, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value !== Number.POSITIVE_INFINITY) return value;
  if (value !== undefined && value !== null) state.invalid++;
  return 0;
}
