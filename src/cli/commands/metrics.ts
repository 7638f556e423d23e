import { readRows } from '../../api.ts';
import { inertJson } from '../../render/escape.ts';
import { rowsCsvHeader, rowToCsv } from '../../render/rows-csv.ts';
import type { Arguments } from '../arguments.ts';
import { logRun } from '../run.ts';
import type { Terminal } from '../terminal.ts';

/** `trajstats metrics`: one line per trajectory. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const { paths, options, finish } = logRun(given, terminal);
  const csv = given.values.format === 'csv';
  const reading = readRows(paths, options);
  if (csv) await terminal.write(rowsCsvHeader());
  for await (const rows of reading)
    await terminal.write(rows.map((row) => (csv ? rowToCsv(row) : `${inertJson(row)}\n`)).join(''));
  return finish(reading.account);
}
