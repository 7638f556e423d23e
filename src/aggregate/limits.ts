/**
 * What a report keeps, so that its memory is bounded whatever the log holds. Beyond a limit, names are folded together
 * into `(other)`, totals stay exact, and the group says so in `capped`. Which names are kept depends on the set of names
 * alone (see `fold/capped.ts`), so never on order, sharding or the number of jobs.
 */
export const LIMITS = {
  /** Groups of the report; the rest form one group whose key is `(other)` throughout. */
  groups: 5_000,
  /** Tasks per group; beyond, tasks share clusters, and what needs single tasks is estimated from those kept. */
  tasks: 50_000,
  /** Each of tools, models, skills, error types, graders and statuses, per group. */
  names: 1_000,
  /** Different scores per group: each has a distribution of its own. */
  scores: 100,
  /** Lists of examples. */
  flaky: 10,
  outliers: 5,
} as const;
