import type { Dimension } from '../aggregate/dimension.ts';
import { type ReportState, reportFold } from '../aggregate/report.ts';
import { type Identity, identityOf } from '../aggregate/seen.ts';
import type { ReadOptions } from '../collect/run.ts';
import type { Reject } from '../model/reject.ts';
import type { TrajectoryRow } from '../model/row.ts';
import { rowsOf } from '../pipeline.ts';
import type { Account } from '../read/account.ts';
import type { Task } from './plan.ts';

/** What is to be made of the rows, as plain data, so that it can go to a worker. */
export interface Work {
  /** The groups of the report; null where the rows themselves are wanted. */
  by: Dimension[] | null;
  options: Omit<ReadOptions, 'onProgress'>;
}

/** What a task gives, piece by piece; the account comes last. */
export interface Share {
  rows?: TrajectoryRow[];
  progress?: { bytes: number; trajectories: number };
  rejects?: Reject[];
  /** Which trajectories were folded, where the rows themselves do not come. */
  identities?: Identity[];
  finished?: { account: Account; state: ReportState | null };
}

const TELL_AFTER_ROWS = 1000;
const TELL_AFTER_BYTES = 4 * 1024 * 1024;

/** Does a task: the same code on the main thread and in a worker. */
export async function* doTask(task: Task, { by, options }: Work): AsyncGenerator<Share> {
  const untold = { bytes: 0, trajectories: 0 };
  const onProgress = (bytes: number, trajectories: number) => {
    untold.bytes += bytes;
    untold.trajectories += trajectories;
  };
  const reading = rowsOf({ inputs: task.inputs, unreadable: [] }, { ...options, onProgress });
  const fold = by && reportFold(by);
  let state = fold?.init() ?? null;
  const identities: Identity[] = [];
  for await (const rows of reading) {
    if (fold && state)
      for (const row of rows) {
        state = fold.step(state, row);
        const identity = identityOf(row);
        if (identity) identities.push(identity);
      }
    else if (rows.length > 0) yield { rows };
    if (identities.length >= TELL_AFTER_ROWS) yield { identities: identities.splice(0) };
    if (reading.rejects.length > 0) yield { rejects: reading.rejects.splice(0) };
    if (untold.bytes < TELL_AFTER_BYTES) continue;
    yield { progress: { ...untold } };
    untold.bytes = 0;
    untold.trajectories = 0;
  }
  yield { progress: untold, rejects: reading.rejects, identities, finished: { account: reading.account, state } };
}
