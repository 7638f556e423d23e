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

interface PieceSize {
  rows: number;
  identities: number;
}

/** Few and large pieces, so that a thread can work far ahead of its turn; but nobody waits long for what is there. */
const LARGE: PieceSize = { rows: 250, identities: 1000 };
const PATIENCE_MS = 100;

/** What is there goes at once: a row is printed before the next one is waited for, and identities do not grow old. */
const SMALL: PieceSize = { rows: 1, identities: 1 };

/**
 * Does a task: the same code on the main thread and in a worker. `alone`: nobody else is at work, and so nothing has to
 * wait for its turn.
 */
export function doTask(task: Task, { by, options }: Work, onProgress: Tell, alone = false): AsyncGenerator<Share> {
  const inputs = { inputs: task.inputs, unreadable: [] };
  const size = alone ? SMALL : LARGE;
  if (!by) return gathered(inputs, { ...options, onProgress }, size);
  return folded(inputs, by, { ...options, onProgress }, size);
}

/** The rows themselves. */
async function* gathered(inputs: Inputs, options: ReadOptions, size: PieceSize): AsyncGenerator<Share> {
  const reading = rowsOf(inputs, options);
  let waiting: TrajectoryRow[] = [];
  let lastPiece = Date.now();
  for await (const rows of reading) {
    waiting = waiting.length === 0 ? rows : waiting.concat(rows);
    if (waiting.length >= size.rows || (waiting.length > 0 && Date.now() - lastPiece > PATIENCE_MS)) {
      yield { rows: waiting };
      waiting = [];
      lastPiece = Date.now();
    }
    if (reading.rejects.length > 0) yield { rejects: reading.rejects.splice(0) };
  }
  yield { rows: waiting, rejects: reading.rejects, finished: { account: reading.account, state: null } };
}

/** The state of a report. */
async function* folded(inputs: Inputs, by: Dimension[], options: ReadOptions, size: PieceSize): AsyncGenerator<Share> {
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
    if (identities.length >= size.identities) {
      yield { identities };
      identities = [];
    }
    if (reading.rejects.length > 0) yield { rejects: reading.rejects.splice(0) };
  }
  yield { rejects: reading.rejects, identities, finished: { account: reading.account, state } };
}
