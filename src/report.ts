import type { Dimension } from './aggregate/dimension.ts';
import { reportFold } from './aggregate/report.ts';
import type { Report } from './model/report.ts';
import type { TrajectoryRow } from './model/row.ts';
import { type ReadOptions, readRows } from './pipeline.ts';
import { type Account, inputAccount, newAccount } from './read/account.ts';
import type { Given } from './read/inputs.ts';
import { VERSION } from './version.ts';

/** Logs to a report, and the full account of how the reading went. */
export async function readReport(
  paths: Given[],
  by: Dimension[] = [],
  options: ReadOptions = {},
): Promise<{ report: Report; account: Account }> {
  const fold = reportFold(by);
  const reading = readRows(paths, options);
  let state = fold.init();
  for await (const rows of reading) for (const row of rows) state = fold.step(state, row);
  return { report: reportOf(fold.done(state), by, reading.account), account: reading.account };
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
