import { mapDone, prespread, struct } from '../fold/fold.ts';
import { sumFields } from '../fold/sum-fields.ts';
import type { ToolSummary } from '../model/report.ts';
import type { ToolUse } from '../model/row.ts';
import { distribution, withMissing } from './distribution.ts';

/** One tool over many trajectories: calls, failures, and how long answers took. */
export const toolUse = mapDone(
  struct({
    counts: sumFields('calls', 'errors', 'unanswered'),
    latencyMs: prespread((use: ToolUse) => use.latencyMs, distribution),
  }),
  ({ counts: { calls, errors, unanswered }, latencyMs }): Omit<ToolSummary, 'name'> => ({
    calls,
    errors,
    errorRate: calls === 0 ? null : errors / calls,
    unanswered,
    // Results without a call have a latency too, so there may be more latencies than calls.
    latencyMs: withMissing(latencyMs, Math.max(0, calls - latencyMs.count)),
  }),
);
