import { type ByName, byName, prename } from '../fold/by-name.ts';
import { OTHER } from '../fold/capped.ts';
import { count } from '../fold/count.ts';
import { type Fold, mapDone, prefilter, premap, struct } from '../fold/fold.ts';
import { compareText } from '../fold/names.ts';
import { sumFields } from '../fold/sum-fields.ts';
import { tally } from '../fold/tally.ts';
import type { Group, RowRef } from '../model/report.ts';
import type { ReportRow } from '../model/report-row.ts';
import { distribution, withMissing } from './distribution.ts';
import { flakiest } from './flaky.ts';
import { LIMITS } from './limits.ts';
import { metricDistributions } from './metric-distributions.ts';
import { outcomes } from './outcomes.ts';
import { outliers } from './outliers.ts';
import { passRate, strictPassRate } from './rate.ts';
import { repeats } from './repeats.ts';
import { tasks } from './tasks.ts';
import { toolUse } from './tool-use.ts';

const NONE = new Map<string, never>();

/** How often a skill was activated, and in how many trajectories. */
const skillUse = premap(
  (activations: number) => ({ activations, trajectories: activations > 0 ? 1 : 0 }),
  sumFields('activations', 'trajectories'),
);

/** Each line is one part of a group: what it takes from a row, and how that is folded. */
const parts = struct({
  trajectories: count,
  outcomes,
  tasks,
  metrics: metricDistributions,
  scores: prename((row: ReportRow) => row.scores, byName(LIMITS.scores, distribution)),
  models: prename(
    (row: ReportRow) => row.metrics.tokenUsage?.byModel ?? NONE,
    byName(LIMITS.names, sumFields('inputTokens', 'outputTokens', 'callCount')),
  ),
  tools: prename((row: ReportRow) => row.tools, byName(LIMITS.names, toolUse)),
  skills: prename((row: ReportRow) => row.metrics.skillActivationBreakdown, byName(LIMITS.names, skillUse)),
  errors: prename((row: ReportRow) => row.errors, tally(LIMITS.names)),
  graders: prename((row: ReportRow) => row.graders, byName(LIMITS.names, sumFields('passed', 'failed'))),
  statuses: prefilter(
    (row: ReportRow) => row.status !== null,
    premap((row) => [row.status!, 1] as const, tally(LIMITS.names)),
  ),
  judge: prefilter(
    (row: ReportRow) => row.judge !== null,
    premap((row) => row.judge!, struct({ count, spend: sumFields('inputTokens', 'outputTokens', 'latencyMs') })),
  ),
  slowest: outliers((row) => row.metrics.wallTimeMs),
  costliest: outliers((row) => row.costUsd),
});

export type GroupState = ReturnType<typeof parts.init>;

/** The rows that the state of a group names. */
export function outliersOf(state: GroupState): RowRef[] {
  return [...parts.part(state, 'slowest'), ...parts.part(state, 'costliest')];
}

/** All that a report says of one set of rows; the key is for the report to give. */
export const group: Fold<ReportRow, GroupState, Omit<Group, 'key'>> = mapDone(parts, (result) => {
  const { trajectories, tasks, scores, models, tools, skills, errors, graders, statuses } = result;
  const metrics = Object.fromEntries(result.metrics);
  const cost = metrics.costUsd!;
  const cut = Object.entries({ tasks, scores, tokensByModel: models, tools, skills, errors, graders, statuses })
    .filter(([, part]) => part.cut)
    .map(([name]) => name);
  return {
    trajectories,
    tasks: tasks.count,
    outcomes: result.outcomes,
    passRate: passRate(tasks),
    strictPassRate: strictPassRate(tasks),
    ...repeats(tasks),
    distributions: Object.fromEntries(
      [...result.metrics, ...scores.entries.map(([name, score]) => [`scores.${name}`, score] as const)].map(
        // Several scores of one row may be thrown together into `(other)`, so there may be more values than rows.
        ([name, described]) => [name, withMissing(described, Math.max(0, trajectories - described.count))],
      ),
    ),
    tokensByModel: Object.fromEntries(models.entries),
    tools: ranked(tools, 'name', (tool) => tool.calls),
    skills: ranked(skills, 'name', (skill) => skill.activations),
    errors: ranked(counts(errors), 'type', (error) => error.count),
    graders: ranked(graders, 'name', (grader) => grader.passed + grader.failed),
    statuses: ranked(counts(statuses), 'status', (status) => status.count),
    judge: result.judge.count === 0 ? null : result.judge.spend,
    flaky: flakiest(tasks),
    costPerPass: cost.sum === null || result.outcomes.passed === 0 ? null : cost.sum / result.outcomes.passed,
    slowest: result.slowest,
    costliest: result.costliest,
    ...(cut.length > 0 && { capped: cut }),
  };
});

/** A list with the largest first, ties by name, and `(other)` at the end, because it is no name. */
function ranked<K extends string, R>(
  { entries }: ByName<R>,
  nameField: K,
  size: (result: R) => number,
): (Record<K, string> & R)[] {
  return entries
    .toSorted(([a, x], [b, y]) => Number(a === OTHER) - Number(b === OTHER) || size(y) - size(x) || compareText(a, b))
    .map(([name, result]) => ({ [nameField]: name, ...result }) as Record<K, string> & R);
}

function counts({ entries, cut }: ByName<number>): ByName<{ count: number }> {
  return { entries: entries.map(([name, count]) => [name, { count }]), cut };
}
