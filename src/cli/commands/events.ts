import { readEventLines } from '../../api.ts';
import { inertJson } from '../../render/escape.ts';
import type { Arguments } from '../arguments.ts';
import { logRun } from '../run.ts';
import type { Terminal } from '../terminal.ts';

/** `trajstats events`: one line per event. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const { paths, options, finish } = logRun(given, terminal);
  const reading = readEventLines(paths, options);
  // Events are all that is in a log, so only where a terminal would obey what is in them they are gone through again.
  const shown = (line: string) => (terminal.isScreen ? inertJson(JSON.parse(line)) : line);
  for await (const lines of reading) if (lines.length > 0) await terminal.write(`${lines.map(shown).join('\n')}\n`);
  return finish(reading.account);
}
