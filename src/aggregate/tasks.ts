import { type CappedState, capped, type Overflow } from '../fold/capped.ts';
import type { Fold } from '../fold/fold.ts';
import { hashName, shortName } from '../fold/names.ts';
import type { ReportRow } from '../model/report-row.ts';
import type { Outcome } from '../model/row.ts';
import { LIMITS } from './limits.ts';

/** How the trials of one task ended; skipped and ungraded trials say nothing about it. */
export interface Trials {
  passed: number;
  failed: number;
  /** Error or timeout: not graded, but no success either. */
  broken: number;
}

export interface TasksState {
  named: CappedState<Trials, Map<number, Trials>>;
  /** Rows without a task: each is a task of its own, so three counts say all about them. */
  unnamed: Trials;
}

export interface Tasks {
  /** Distinct tasks that have a name. Beyond the limit an estimate, within 1 % or so. */
  count: number;
  named: [task: string, trials: Trials][];
  unnamed: Trials;
  /**
   * Beyond the limit, the tasks that are not kept, thrown together by their hashes: clusters coarser than tasks still
   * give an honest standard error, as long as no task is divided between two.
   */
  shared: Trials[];
  cut: boolean;
}

const SHARED_CLUSTERS = 1024;

const trials: Fold<ReportRow, Trials, Trials> = {
  init: () => ({ passed: 0, failed: 0, broken: 0 }),
  step(state, row) {
    const column = columnOf(row.outcome);
    if (column !== null) state[column] += 1;
    return state;
  },
  merge(left, right) {
    left.passed += right.passed;
    left.failed += right.failed;
    left.broken += right.broken;
    return left;
  },
  done: (state) => state,
};

const shared: Overflow<ReportRow, Trials, Map<number, Trials>> = {
  name: null,
  init: () => new Map(),
  step(clusters, task, row) {
    trials.step(clusterAt(clusters, clusterOf(task)), row);
    return clusters;
  },
  absorb(clusters, task, more) {
    trials.merge(clusterAt(clusters, clusterOf(task)), more);
    return clusters;
  },
  merge(left, right) {
    for (const [cluster, more] of right) trials.merge(clusterAt(left, cluster), more);
    return left;
  },
};

const named = capped(LIMITS.tasks, (row: ReportRow) => shortName(row.task!), trials, shared);

/** The trials of each task. */
export const tasks: Fold<ReportRow, TasksState, Tasks> = {
  init: () => ({ named: named.init(), unnamed: trials.init() }),
  step(state, row) {
    if (row.task === null) trials.step(state.unnamed, row);
    else named.step(state.named, row);
    return state;
  },
  merge(left, right) {
    named.merge(left.named, right.named);
    trials.merge(left.unnamed, right.unnamed);
    return left;
  },
  done(state) {
    const { kept, others, cut } = named.done(state.named);
    return {
      count: cut ? estimateCount(kept.length, state.named.last!.hash) : kept.length,
      named: kept,
      unnamed: state.unnamed,
      shared: others === null ? [] : [...others.values()],
      cut,
    };
  },
};

/** If the smallest `kept` hashes reach up to `largest`, then this many names lie between 0 and 2^53 (Bar-Yossef 2002). */
function estimateCount(kept: number, largest: number): number {
  return Math.round((kept - 1) * (2 ** 53 / largest));
}

function columnOf(outcome: Outcome): keyof Trials | null {
  if (outcome === 'passed' || outcome === 'failed') return outcome;
  return outcome === 'error' || outcome === 'timeout' ? 'broken' : null;
}

function clusterOf(task: string): number {
  return hashName(task) % SHARED_CLUSTERS;
}

function clusterAt(clusters: Map<number, Trials>, cluster: number): Trials {
  let found = clusters.get(cluster);
  if (found === undefined) {
    found = trials.init();
    clusters.set(cluster, found);
  }
  return found;
}
