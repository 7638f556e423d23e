import type { Source } from '../model/row.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';

/** A trajectory whose events are in another file. */
export interface Elsewhere {
  head: TrajectoryHead;
  source: Source;
  /** Relative to the file that names it. */
  path: string;
}

/** Takes what a reader finds, and makes finished things of it, which it gives away in batches. */
export interface Collector<T> extends Omit<TrajectorySink, 'skip' | 'refuse' | 'warn'> {
  /** Where the record that is being read stands. */
  source: Source;
  /** How many texts in it were too long, and cut. */
  cutTexts: number;
  /** What is wrong with the trajectory that just ended, besides what its reader saw. */
  notes: string[];
  take(): (T | Elsewhere)[];
  /** Joins a head with the events that another file held, which were collected since. */
  complete(elsewhere: Elsewhere, found: TrajectoryHead): void;
}

export function isElsewhere(thing: unknown): thing is Elsewhere {
  return typeof thing === 'object' && thing !== null && 'head' in thing;
}

/** In the split layout an instance names itself and its patch, and its own file knows the rest. */
export function joinHeads(outer: TrajectoryHead, inner: TrajectoryHead): TrajectoryHead {
  return { ...inner, id: outer.id, task: outer.task, patch: outer.patch };
}
