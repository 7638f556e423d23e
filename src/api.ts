import { availableParallelism } from 'node:os';
import type { Dimension } from './aggregate/dimension.ts';
import { type ReportState, reportFold } from './aggregate/report.ts';
import { type Identity, identityOf, Seen } from './aggregate/seen.ts';
import { shiftLines } from './aggregate/shift-lines.ts';
import { fail, type ReadOptions } from './collect/run.ts';
import { canUseWorkers } from './jobs/can-use-workers.ts';
import { type Plan, planTasks, type Task } from './jobs/plan.ts';
import { doTask, type Share, type Tell, type Work } from './jobs/share.ts';
import type { Reject } from './model/reject.ts';
import type { Report } from './model/report.ts';
import type { TrajectoryRow } from './model/row.ts';
import { eventLinesOf, type Reading } from './pipeline.ts';
import { type Account, addProblem, inputAccount, mergeAccounts, newAccount } from './read/account.ts';
import { inOrder } from './read/in-order.ts';
import { findInputs, type Given, type Inputs } from './read/inputs.ts';
import { VERSION } from './version.ts';

export interface Options extends ReadOptions {
  /** Threads that read and fold (default: the cores). What comes out never depends on it. */
  jobs?: number;
  /** Fewer threads are used where there is less than this for each of them. */
  bytesPerThread?: number;
  /** Leave out trajectories that were seen before. */
  dedupe?: boolean;
  /** Told before anything is read, if one thread reads at a time and no more. */
  onReadingAlone?: () => void;
  /** Told of every bad line, as it stands in the log. */
  onReject?: (reject: Reject) => void;
}

/** One row per trajectory, in the order of the paths and of the records in them. */
export function readRows(paths: Given[], options: Options = {}): Reading<TrajectoryRow> {
  const account = newAccount();
  async function* batches(): AsyncGenerator<TrajectoryRow[]> {
    for await (const { rows } of shares(paths, null, options, account)) if (rows?.length) yield rows;
  }
  return { account, rejects: [], [Symbol.asyncIterator]: batches };
}

/** One line of JSON per event. */
export function readEventLines(paths: Given[], options: Options = {}): Reading<string> {
  const inputs = findInputs(paths);
  const { onReject } = options;
  const reading = eventLinesOf(inputs, { ...options, keepRejects: onReject !== undefined });
  async function* batches(): AsyncGenerator<string[]> {
    for await (const lines of reading) {
      for (const reject of reading.rejects.splice(0)) onReject?.(reject);
      yield lines;
    }
    for (const reject of reading.rejects.splice(0)) onReject?.(reject);
    tellNothingFound(reading.account, inputs, paths);
  }
  return { account: reading.account, rejects: [], [Symbol.asyncIterator]: batches };
}

/** Logs to a report, and the full account of how the reading went. */
export async function readReport(
  paths: Given[],
  by: Dimension[] = [],
  options: Options = {},
): Promise<{ report: Report; account: Account }> {
  const account = newAccount();
  const fold = reportFold(by);
  let state: ReportState | null = null;
  // What was seen before is known only here, in the order of the input: then the rows have to come here too.
  for await (const { rows, finished } of shares(paths, options.dedupe ? null : by, options, account)) {
    for (const row of rows ?? []) state = fold.step(state ?? fold.init(), row);
    if (finished?.state) state = state === null ? finished.state : fold.merge(state, finished.state);
  }
  return { report: reportOf(fold.done(state ?? fold.init()), by, account), account };
}

/** Rows that are already there to a report. */
export function aggregate(rows: Iterable<TrajectoryRow>, by: Dimension[] = []): Report {
  const fold = reportFold(by);
  const account = newAccount();
  let state = fold.init();
  for (const row of rows) {
    account.trajectories++;
    state = fold.step(state, row);
  }
  return reportOf(fold.done(state), by, account);
}

function reportOf(groups: Pick<Report, 'total' | 'groups'>, by: Dimension[], account: Account): Report {
  return { type: 'report', schema: 1, version: VERSION, input: inputAccount(account), by, ...groups };
}

/** All that the tasks give, in the order of the input, with every line number as an editor shows it. */
async function* shares(
  paths: Given[],
  by: Dimension[] | null,
  { jobs = availableParallelism(), bytesPerThread, onProgress, dedupe, onReject, onReadingAlone, ...options }: Options,
  account: Account,
): AsyncGenerator<Share> {
  const inputs = findInputs(paths);
  for (const { path, message } of inputs.unreadable) fail(account, path, message);
  const again = new Again(account);
  // Whoever asks for lines by number needs them numbered from the file's start; a named format is not looked at.
  const cutFiles = !options.inputFormat && !options.where?.some(({ field }) => field === 'line');
  // Bad lines are kept where they are read, and that would be in another thread.
  const mayScanAhead = !onReject && options.parser !== 'stream-json';
  const plan = planTasks(inputs, canUseWorkers() ? jobs : 1, cutFiles, bytesPerThread, mayScanAhead);
  const readAhead = plan.threads < availableParallelism();
  if (plan.threads === 1 || plan.scanAhead) onReadingAlone?.();
  const work: Work = { by, options: { ...options, readAhead, keepRejects: onReject !== undefined } };
  const scanThread = plan.scanAhead ? await (await import('./jobs/scan-ahead.ts')).startScanThread(plan, work) : null;
  if (scanThread) work.options.scanAhead = scanThread;
  let linesBefore = 0;
  try {
    for await (const { task, share } of doTasks(plan, work, onProgress ?? (() => {}))) {
      const { rows, finished } = share;
      if (!task.continues) linesBefore = 0;
      if (linesBefore > 0) countFromFileStart(share, task, linesBefore);
      for (const reject of share.rejects ?? []) onReject?.(reject);
      if (rows) share.rows = rows.filter((row) => !again.is(identityOf(row)) || !dedupe);
      if (finished) {
        linesBefore += finished.account.lines;
        mergeAccounts(account, finished.account);
      }
      for (const identity of share.identities ?? []) again.is(identity);
      if (rows || finished) yield share;
    }
  } finally {
    await scanThread?.close();
  }
  again.tell();
  tellNothingFound(account, inputs, paths);
}

async function* doTasks(
  { threads, tasks }: Plan,
  work: Work,
  tell: Tell,
): AsyncGenerator<{ task: Task; share: Share }> {
  if (tasks.length === 1 || work.options.scanAhead) {
    for (const task of tasks) for await (const share of doTask(task, work, tell, true)) yield { task, share };
    return;
  }
  const { Pool } = await import('./jobs/pool.ts');
  const pool = new Pool(threads, work, tell);
  const run = async function* (task: Task) {
    for await (const share of pool.run(task)) yield { task, share };
  };
  try {
    yield* inOrder(tasks, threads, run);
  } finally {
    await pool.close();
  }
}

const DUPLICATES_NAMED = 5;

/** Counts the trajectories that were seen before, and names them at the end, so that no order of work changes the order. */
class Again {
  private readonly seen = new Seen();
  private readonly named: Identity[] = [];

  constructor(private readonly account: Account) {}

  is(identity: Identity | null): boolean {
    if (identity === null || !this.seen.again(identity)) return false;
    this.account.duplicates++;
    // The first few by name: where a whole run was read twice, they would hide everything else.
    if (this.named.length < DUPLICATES_NAMED) this.named.push(identity);
    return true;
  }

  tell(): void {
    for (const { path, line, index, id } of this.named) {
      const where = index === null ? '' : `element ${index}: `;
      const message = `${where}a duplicate: the trajectory ${JSON.stringify(id)} was seen before`;
      addProblem(this.account, { path, line, message });
    }
  }
}

/** A part of a file counts its lines from its own start. */
function countFromFileStart({ rows, rejects, identities, finished }: Share, task: Task, linesBefore: number): void {
  const problems = [...(finished?.account.problems ?? []), ...(rejects ?? [])];
  for (const problem of problems) if (problem.line !== null) problem.line += linesBefore;
  // Rows that are read back name the lines of the logs that they came from.
  if (task.inputs.some((input) => input.kind === 'file' && input.range?.format === 'rows')) return;
  const places = [...(rows ?? []).map(({ source }) => source), ...(identities ?? [])];
  for (const place of places) if (place.line !== null) place.line += linesBefore;
  if (finished?.state) shiftLines(finished.state, linesBefore);
}

function tellNothingFound(account: Account, { inputs }: Inputs, paths: Given[]): void {
  if (account.files > 0 || account.unreadable > 0 || inputs.length === 0) return;
  const given = paths.filter((path) => typeof path === 'string').join(' ');
  fail(account, given || '-', 'no logs that trajstats knows in here');
}
