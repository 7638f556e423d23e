import type { Fold } from '../fold/fold.ts';
import type { ToolSummary } from '../model/report.ts';
import type { ToolUse } from '../model/row.ts';
import { addExactly, type ExactSum, mergeExactSums, roundExactSum, zeroSum } from '../stats/exact-sum.ts';
import { type DistributionState, distribution, withMissing } from './distribution.ts';

export interface ToolUseState {
  calls: ExactSum;
  errors: ExactSum;
  unanswered: ExactSum;
  latencyMs: DistributionState;
}

/**
 * One tool over many trajectories: calls, failures, and how long answers took. Written out, where `struct` would say the
 * same: a row has several tools, and so this runs more often than anything else in a report.
 */
export const toolUse: Fold<ToolUse, ToolUseState, Omit<ToolSummary, 'name'>> = {
  init: () => ({ calls: zeroSum(), errors: zeroSum(), unanswered: zeroSum(), latencyMs: distribution.init() }),
  step(state, { calls, errors, unanswered, latencyMs }) {
    addExactly(state.calls, calls);
    addExactly(state.errors, errors);
    addExactly(state.unanswered, unanswered);
    for (let i = 0; i < latencyMs.length; i++) distribution.step(state.latencyMs, latencyMs[i]);
    return state;
  },
  merge(left, right) {
    mergeExactSums(left.calls, right.calls);
    mergeExactSums(left.errors, right.errors);
    mergeExactSums(left.unanswered, right.unanswered);
    distribution.merge(left.latencyMs, right.latencyMs);
    return left;
  },
  done(state) {
    const calls = roundExactSum(state.calls);
    const errors = roundExactSum(state.errors);
    const latencyMs = distribution.done(state.latencyMs);
    return {
      calls,
      errors,
      errorRate: calls === 0 ? null : errors / calls,
      unanswered: roundExactSum(state.unanswered),
      // Results without a call have a latency too, so there may be more latencies than calls.
      latencyMs: withMissing(latencyMs, Math.max(0, calls - latencyMs.count)),
    };
  },
};
