import { availableParallelism } from 'node:os';
import type { Dimension } from './aggregate/dimension.ts';
import { reportFold } from './aggregate/report.ts';
import { shiftLines } from './aggregate/shift-lines.ts';
import { fail, type ReadOptions } from './collect/run.ts';
import { planTasks, type Task } from './jobs/plan.ts';
import { canUseWorkers, Pool } from './jobs/pool.ts';
import type { Share, Work } from './jobs/share.ts';
import type { Report } from './model/report.ts';
import type { TrajectoryRow } from './model/row.ts';
import { eventLinesOf, type Reading } from './pipeline.ts';
import { type Account, inputAccount, mergeAccounts, newAccount } from './read/account.ts';
import { inOrder } from './read/in-order.ts';
import { findInputs, type Given, type Inputs } from './read/inputs.ts';
import { VERSION } from './version.ts';

export interface Options extends ReadOptions {
  /** Threads that read and fold (default: the cores). What comes out never depends on it. */
  jobs?: number;
}

/** One row per trajectory, in the order of the paths and of the records in them. */
export function readRows(paths: Given[], options: Options = {}): Reading<TrajectoryRow> {
  const account = newAccount();
  async function* batches(): AsyncGenerator<TrajectoryRow[]> {
    for await (const { rows } of shares(paths, null, options, account)) if (rows) yield rows;
  }
  return { account, [Symbol.asyncIterator]: batches };
}

/** One line of JSON per event. */
export function readEventLines(paths: Given[], options: Options = {}): Reading<string> {
  const inputs = findInputs(paths);
  const reading = eventLinesOf(inputs, options);
  async function* batches(): AsyncGenerator<string[]> {
    yield* reading;
    tellNothingFound(reading.account, inputs, paths);
  }
  return { account: reading.account, [Symbol.asyncIterator]: batches };
}

/** Logs to a report, and the full account of how the reading went. */
export async function readReport(
  paths: Given[],
  by: Dimension[] = [],
  options: Options = {},
): Promise<{ report: Report; account: Account }> {
  const account = newAccount();
  const fold = reportFold(by);
  let state = fold.init();
  for await (const share of shares(paths, by, options, account))
    if (share.finished?.state) state = fold.merge(state, share.finished.state);
  return { report: reportOf(fold.done(state), by, account), account };
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
  { jobs = availableParallelism(), onProgress, ...options }: Options,
  account: Account,
): AsyncGenerator<Share> {
  const inputs = findInputs(paths);
  for (const { path, message } of inputs.unreadable) fail(account, path, message);
  const work: Work = { by, options };
  // Whoever asks for lines by number needs them numbered from the file's start; a named format is not looked at.
  const cutFiles = !options.inputFormat && !options.where?.some(({ field }) => field === 'line');
  const tasks = planTasks(inputs, canUseWorkers() ? jobs : 1, cutFiles);
  let linesBefore = 0;
  for await (const { task, share } of doTasks(tasks, jobs, work)) {
    const { rows, progress, finished } = share;
    if (progress) onProgress?.(progress.bytes, progress.trajectories);
    if (!task.continues) linesBefore = 0;
    if (linesBefore > 0) countFromFileStart(share, task, linesBefore);
    if (finished) {
      linesBefore += finished.account.lines;
      mergeAccounts(account, finished.account);
    }
    if (rows || finished) yield share;
  }
  tellNothingFound(account, inputs, paths);
}

async function* doTasks(tasks: Task[], jobs: number, work: Work): AsyncGenerator<{ task: Task; share: Share }> {
  const threads = Math.min(jobs, tasks.length);
  const pool = new Pool(threads, work);
  const run = async function* (task: Task) {
    for await (const share of pool.run(task)) yield { task, share };
  };
  try {
    yield* inOrder(tasks, threads, run);
  } finally {
    await pool.close();
  }
}

/** A part of a file counts its lines from its own start. */
function countFromFileStart({ rows, finished }: Share, task: Task, linesBefore: number): void {
  for (const problem of finished?.account.problems ?? []) if (problem.line !== null) problem.line += linesBefore;
  // Rows that are read back name the lines of the logs that they came from.
  if (task.inputs.some((input) => input.kind === 'file' && input.range?.format === 'rows')) return;
  for (const { source } of rows ?? []) if (source.line !== null) source.line += linesBefore;
  if (finished?.state) shiftLines(finished.state, linesBefore);
}

function tellNothingFound(account: Account, { inputs }: Inputs, paths: Given[]): void {
  if (account.files > 0 || account.unreadable > 0 || inputs.length === 0) return;
  const given = paths.filter((path) => typeof path === 'string').join(' ');
  fail(account, given || '-', 'no logs that trajstats knows in here');
}
