import path from 'node:path';
import { forecastSummary } from '../formats/forecast.ts';
import { type RunParts, runHead, summaryRuns } from '../formats/forecast-run.ts';
import type { Layout } from '../formats/format.ts';
import { name, type Obj, text } from '../formats/values.ts';
import type { FileInput, RunFolder, RunsInput } from '../read/inputs.ts';
import type { Collector } from './collector.ts';
import { feed, type MakeSink, nameOf } from './feed.ts';
import { Intake } from './intake.ts';
import type { Run } from './run.ts';

/** A folder of forecast runs. The summary names them and their order; some have no folder, and some are not named. */
export async function* readRuns(run: Run, input: RunsInput, collector: Collector<unknown>): AsyncGenerator<void> {
  const folders = new Map(input.runs.map((folder) => [folder.name, folder]));
  const listed = input.summary ? await readSummary(run, input.summary, collector) : [];
  for (const [index, summary] of listed.entries()) {
    const folder = folders.get(folderOf(summary));
    folders.delete(folderOf(summary));
    if (folder) yield* readRun(run, folder, collector, summary);
    else {
      run.account.trajectories++;
      collector.source = { path: (input.summary as FileInput).path, line: null, index };
      collector.end(runHead({ name: null, summary }));
    }
    yield;
  }
  for (const folder of folders.values()) yield* readRun(run, folder, collector);
}

async function readSummary(run: Run, file: FileInput, collector: Collector<unknown>): Promise<Obj[]> {
  let runs: Obj[] = [];
  const keeping: Layout = {
    ...forecastSummary,
    reader: () => ({
      item() {},
      record(value) {
        runs = summaryRuns(value);
      },
      abandon() {},
    }),
  };
  const makeSink: MakeSink = (layout, raw) =>
    layout.format === 'forecast' ? new Intake(run, layout, file.path, raw, collector, { name: null }) : null;
  for await (const _ of feed(run, file, makeSink, keeping));
  return runs;
}

function folderOf(summary: Obj): string {
  const output = text(summary.output_dir);
  return output ? path.basename(output) : (name(summary.run_id, summary.task_id) ?? '');
}

/** The files of one run, whichever are there, make one trajectory. */
async function* readRun(
  run: Run,
  folder: RunFolder,
  collector: Collector<unknown>,
  summary?: Obj,
): AsyncGenerator<void> {
  const parts: RunParts = { name: folder.name, summary };
  let isRun = summary !== undefined;
  for (const file of folder.files)
    yield* feed(run, file, (layout, raw) => {
      // A file with one of these names may be something else, and then it is read as what it is.
      const own = layout.format === 'forecast';
      if (own) isRun = true;
      const context = { name: nameOf(file.path), run: own ? parts : undefined };
      return new Intake(run, layout, file.path, raw, collector, context);
    });
  if (!isRun) return;
  run.account.trajectories++;
  collector.source = { path: folder.path, line: null, index: null };
  collector.end(runHead(parts));
  yield;
}
