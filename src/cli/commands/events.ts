import { readEventLines } from '../../api.ts';
import type { Arguments } from '../arguments.ts';
import { logRun } from '../run.ts';
import type { Terminal } from '../terminal.ts';

/** `trajstats events`: one line per event. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const { paths, options, finish } = logRun(given, terminal);
  const reading = readEventLines(paths, options);
  for await (const lines of reading) if (lines.length > 0) await terminal.write(`${lines.join('\n')}\n`);
  return finish(reading.account);
}
