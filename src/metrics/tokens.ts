import type { ModelUsage } from '../model/metrics.ts';
import type { NamedUsage } from '../model/report-row.ts';
import { addExactly, type ExactSum, mergeExactSums, roundExactSum, zeroSum } from '../stats/exact-sum.ts';
import type { EventFold } from './event-fold.ts';
import { countedName } from './names.ts';

/** Sums are exact: a log may count beyond 2^53, and two halves must add up to the whole. */
export interface TokenState {
  input: ExactSum;
  output: ExactSum;
  cacheRead: ExactSum;
  cacheWrite: ExactSum;
  calls: number;
  byModel: Map<string, ModelState>;
  /** Counts that are there and are not numbers of tokens. */
  invalid: number;
}

interface ModelState {
  input: ExactSum;
  output: ExactSum;
  calls: number;
}

export interface TokenResult {
  usage: NamedUsage | null;
  invalid: number;
}

/** Sums over `token_usage` events. Without any, the log carries no usage: null, not zero. */
export const tokens: EventFold<TokenState, TokenResult> = {
  init: () => ({
    input: zeroSum(),
    output: zeroSum(),
    cacheRead: zeroSum(),
    cacheWrite: zeroSum(),
    calls: 0,
    byModel: new Map(),
    invalid: 0,
  }),

  step(state, { data }) {
    const input = tokenCount(state, data.inputTokens);
    const output = tokenCount(state, data.outputTokens);
    addExactly(state.input, input);
    addExactly(state.output, output);
    addExactly(state.cacheRead, tokenCount(state, data.cacheReadTokens));
    addExactly(state.cacheWrite, tokenCount(state, data.cacheWriteTokens));
    state.calls++;
    const model = modelOf(state.byModel, countedName(state.byModel, data.model));
    addExactly(model.input, input);
    addExactly(model.output, output);
    model.calls++;
    return state;
  },

  absorb(state, digest) {
    addExactly(state.input, digest.inputTokens);
    addExactly(state.output, digest.outputTokens);
    addExactly(state.cacheRead, digest.cacheReadTokens);
    addExactly(state.cacheWrite, digest.cacheWriteTokens);
    state.calls += digest.modelCalls;
    for (const { name, calls, inputTokens, outputTokens } of digest.models) {
      const model = modelOf(state.byModel, countedName(state.byModel, name));
      addExactly(model.input, inputTokens);
      addExactly(model.output, outputTokens);
      model.calls += calls;
    }
    return state;
  },

  merge(left, right) {
    mergeExactSums(left.input, right.input);
    mergeExactSums(left.output, right.output);
    mergeExactSums(left.cacheRead, right.cacheRead);
    mergeExactSums(left.cacheWrite, right.cacheWrite);
    left.calls += right.calls;
    left.invalid += right.invalid;
    for (const [name, usage] of right.byModel) {
      const model = modelOf(left.byModel, name);
      mergeExactSums(model.input, usage.input);
      mergeExactSums(model.output, usage.output);
      model.calls += usage.calls;
    }
    return left;
  },

  done: (state) => ({ usage: state.calls === 0 ? null : usageOf(state), invalid: state.invalid }),
};

/** What a log that says so spent: nothing. */
export const NO_TOKENS: NamedUsage = usageOf(tokens.init());

function usageOf(state: TokenState): NamedUsage {
  const byModel = new Map<string, ModelUsage>();
  for (const [name, model] of state.byModel) byModel.set(name, modelUsage(model));
  const total = mergeExactSums(mergeExactSums(zeroSum(), state.input), state.output);
  return {
    inputTokens: roundExactSum(state.input),
    outputTokens: roundExactSum(state.output),
    totalTokens: roundExactSum(total),
    cacheReadTokens: roundExactSum(state.cacheRead),
    cacheWriteTokens: roundExactSum(state.cacheWrite),
    callCount: state.calls,
    byModel,
  };
}

function modelUsage({ input, output, calls }: ModelState): ModelUsage {
  return { inputTokens: roundExactSum(input), outputTokens: roundExactSum(output), callCount: calls };
}

function modelOf(byModel: Map<string, ModelState>, name: string): ModelState {
  let model = byModel.get(name);
  if (!model) {
    model = { input: zeroSum(), output: zeroSum(), calls: 0 };
    byModel.set(name, model);
  }
  return model;
}

function tokenCount(state: TokenState, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value !== Number.POSITIVE_INFINITY) return value;
  if (value !== undefined && value !== null) state.invalid++;
  return 0;
}
