import type { Dimension } from '../aggregate/dimension.ts';
import { type ReportState, reportFold } from '../aggregate/report.ts';
import { type Identity, identityOf } from '../aggregate/seen.ts';
import type { ReadOptions } from '../collect/run.ts';
import type { Reject } from '../model/reject.ts';
import type { TrajectoryRow } from '../model/row.ts';
import { reportRowsOf, rowsOf } from '../pipeline.ts';
import type { Account } from '../read/account.ts';
import type { Inputs } from '../read/inputs.ts';
import type { Task } from './plan.ts';

/** What is to be made of the rows, as plain data, so that it can go to a worker. */
export interface Work {
  /** The groups of the report; null where the rows themselves are wanted. */
  by: Dimension[] | null;
  options: Omit<ReadOptions, 'onProgress'>;
}

/** Told of bytes read and trajectories ended, as they come: progress does not wait for its turn. */
export type Tell = (bytes: number, trajectories: number) => void;

/** What a task gives, piece by piece; the account comes last. */
export interface Share {
  rows?: TrajectoryRow[];
  rejects?: Reject[];
  /** Which trajectories were folded, where the rows themselves do not come. */
  identities?: Identity[];
  finished?: { account: Account; state: ReportState | null };
}

/** Few and large pieces, so that a thread can work far ahead of its turn; but nobody waits long for what is there. */
const ROWS_PER_PIECE = 250;
const PATIENCE_MS = 100;

const IDENTITIES_PER_PIECE = 1000;

/**
 * Does a task: the same code on the main thread and in a worker. Where nobody else is at work, and so nobody has to wait
 * for a turn, identities are best looked at before they grow old (one per piece).
 */
export function doTask(
  task: Task,
  { by, options }: Work,
  onProgress: Tell,
  identitiesPerPiece = IDENTITIES_PER_PIECE,
): AsyncGenerator<Share> {
  const inputs = { inputs: task.inputs, unreadable: [] };
  if (!by) return gathered(inputs, { ...options, onProgress });
  return folded(inputs, by, { ...options, onProgress }, identitiesPerPiece);
}

/** The rows themselves. */
async function* gathered(inputs: Inputs, options: ReadOptions): AsyncGenerator<Share> {
  const reading = rowsOf(inputs, options);
  let waiting: TrajectoryRow[] = [];
  let lastPiece = Date.now();
  for await (const rows of reading) {
    waiting = waiting.length === 0 ? rows : waiting.concat(rows);
    if (waiting.length >= ROWS_PER_PIECE || (waiting.length > 0 && Date.now() - lastPiece > PATIENCE_MS)) {
      yield { rows: waiting };
      waiting = [];
      lastPiece = Date.now();
    }
    if (reading.rejects.length > 0) yield { rejects: reading.rejects.splice(0) };
  }
  yield { rows: waiting, rejects: reading.rejects, finished: { account: reading.account, state: null } };
}

/** The state of a report. */
async function* folded(
  inputs: Inputs,
  by: Dimension[],
  options: ReadOptions,
  identitiesPerPiece: number,
): AsyncGenerator<Share> {
  const reading = reportRowsOf(inputs, options);
  const fold = reportFold(by);
  let state = fold.init();
  let identities: Identity[] = [];
  for await (const rows of reading) {
    for (const row of rows) {
      state = fold.step(state, row);
      const identity = identityOf(row);
      if (identity) identities.push(identity);
    }
    if (identities.length >= identitiesPerPiece) {
      yield { identities };
      identities = [];
    }
    if (reading.rejects.length > 0) yield { rejects: reading.rejects.splice(0) };
  }
  yield { rejects: reading.rejects, identities, finished: { account: reading.account, state } };
}
