import { DIMENSIONS, type Dimension } from '../../aggregate/dimension.ts';
import { readReport } from '../../api.ts';
import { closestWord } from '../../stats/closest.ts';
import type { Arguments } from '../arguments.ts';
import { formatOfFile, type ReportFormat, render, writeWhole } from '../output.ts';
import { logRun } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `trajstats report`, the default: one report over all trajectories. */
export async function run(given: Arguments, terminal: Terminal): Promise<number> {
  const { values } = given;
  const by = dimensions((values.by as string[] | undefined) ?? []);
  const files = ((values.out as string[] | undefined) ?? []).map((file) => ({ file, format: formatOfFile(file) }));
  const { paths, options, finish } = logRun(given, terminal);
  const { report, account } = await readReport(paths, by, options);
  for (const { file, format } of files)
    await writeWhole(file, await render(report, format, { width: terminal.width, color: false }));
  const format = values.format as ReportFormat | undefined;
  // With --out the files are the output, unless a format is asked for as well.
  const printed = format ?? (files.length > 0 ? null : 'table');
  if (printed) await terminal.write(await render(report, printed, terminal));
  return finish(account);
}

function dimensions(given: string[]): Dimension[] {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set(names)].map((name) => {
    const known = DIMENSIONS.find((dimension) => dimension === name);
    if (known) return known;
    const meant = closestWord(name, DIMENSIONS);
    const hint = meant ? `; did you mean ${meant}?` : '';
    throw new UsageError(`--by takes ${DIMENSIONS.join(', ')}, not ${JSON.stringify(name)}${hint}`);
  });
}
