/**
 * One page that wires the stops together:
 *
 *   bytes ──► values ──► events ──► rows ──► report
 *   read/     parse/     formats/   metrics/  aggregate/
 *
 * Stages pass batches, because what costs in a stream is the number of things that go through it.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { chain, none } from 'stream-chain/core';
import { matches, type Where } from './aggregate/where.ts';
import { type Collector, type Elsewhere, isElsewhere } from './collect/collector.ts';
import { EventCollector, type EventLines } from './collect/event-collector.ts';
import { Intake } from './collect/intake.ts';
import { RowCollector } from './collect/row-collector.ts';
import { Detection, INPUT_FORMATS, type InputFormat } from './formats/detect.ts';
import { forecastSummary } from './formats/forecast.ts';
import { type RunParts, runHead, summaryRuns } from './formats/forecast-run.ts';
import type { Detail, Layout } from './formats/format.ts';
import { trialEvents } from './formats/trials.ts';
import { name, type Obj, text } from './formats/values.ts';
import type { TrajectoryRow } from './model/row.ts';
import type { TrajectoryHead } from './model/trajectory.ts';
import { chooseParser, type ParserName } from './parse/choose.ts';
import type { MakeParser, Parser, Sink } from './parse/parser.ts';
import { type Account, addProblem, mergeAccounts, newAccount } from './read/account.ts';
import { fileBytes } from './read/bytes.ts';
import { decompressed } from './read/decompress.ts';
import { inOrder } from './read/in-order.ts';
import { type FileInput, findInputs, type Given, type Input, type RunsInput, reasonOf, type StreamInput } from './read/inputs.ts';

export interface ReadOptions {
  inputFormat?: InputFormat;
  parser?: ParserName;
  /** Texts longer than this are cut; see --max-value-bytes. */
  maxValueBytes?: number;
  /** Only rows for which all of these hold. */
  where?: Where[];
  /** Told of bytes as they are read from the files, before decompression, and of trajectories as they end. */
  onProgress?: (bytes: number, trajectories: number) => void;
}

/** What a run gives, batch by batch, and its account, which is complete when the batches have ended. */
export interface Reading<T> extends AsyncIterable<T[]> {
  account: Account;
}

export const DEFAULT_MAX_VALUE_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 4;

/** One row per trajectory, in the order of the paths and of the records in them. */
export function readRows(paths: Given[], options: ReadOptions = {}): Reading<TrajectoryRow> {
  const where = options.where ?? [];
  const keep = (rows: TrajectoryRow[]) => {
    const kept = where.length === 0 ? rows : rows.filter((row) => matches(where, row));
    return kept.length > 0 ? kept : none;
  };
  return readAll(paths, 'metrics', options, (run) => chain([collected(run, () => new RowCollector()), keep]));
}

/** One line of JSON per event. */
export function readEventLines(paths: Given[], options: ReadOptions = {}): Reading<string> {
  const unfold = function* (held: EventLines[]) {
    for (const lines of held) yield* lines.batches();
  };
  return readAll(paths, 'events', options, (run) => chain([collected(run, () => new EventCollector()), unfold]));
}

/** What all stages of one input share. */
interface Run {
  detail: Detail;
  options: ReadOptions;
  makeParser: MakeParser;
  account: Account;
}

type Stages<T> = (inputs: Iterable<Input>) => AsyncIterable<T[]>;

function readAll<T>(paths: Given[], detail: Detail, options: ReadOptions, stages: (run: Run) => unknown): Reading<T> {
  const account = newAccount();
  const { inputs, unreadable } = findInputs(paths);
  for (const { path, message } of unreadable) fail(account, path, message);

  async function* readOne(input: Input): AsyncGenerator<{ batch?: T[]; account?: Account }> {
    const run: Run = { detail, options, makeParser: await chooseParser(options.parser), account: newAccount() };
    for await (const batch of (stages(run) as Stages<T>)([input])) yield { batch };
    yield { account: run.account };
  }

  async function* batches(): AsyncGenerator<T[]> {
    for await (const part of inOrder(inputs, FILES_AT_ONCE, readOne)) {
      if (part.account) mergeAccounts(account, part.account);
      if (part.batch) yield part.batch;
    }
    if (account.files === 0 && account.unreadable === 0 && inputs.length > 0)
      fail(account, paths.filter((given) => typeof given === 'string').join(' '), 'no logs that trajstats knows in here');
  }
  return { account, [Symbol.asyncIterator]: batches };
}

/** The stage from an input to what a collector makes of it. */
function collected<T>(run: Run, makeCollector: () => Collector<T>): (input: Input) => AsyncGenerator<T[]> {
  return async function* (input) {
    const collector = makeCollector();
    const parts = input.kind === 'runs' ? readRuns(run, input, collector) : readFile(run, input, collector);
    for await (const _ of parts) {
      let batch: T[] = [];
      for (const thing of collector.take()) {
        if (!isElsewhere(thing)) batch.push(thing);
        else {
          const found = makeCollector();
          await readElsewhere(run, thing, found);
          batch = batch.concat(found.take() as T[]);
        }
      }
      if (batch.length > 0) yield batch;
    }
  };
}

async function* readFile(run: Run, file: FileInput | StreamInput, collector: Collector<unknown>): AsyncGenerator<void> {
  const shown = file.path;
  const context = { name: file.path === '-' ? null : nameOf(file.path) };
  yield* parse(run, file, (layout) => new Intake(layout, shown, run.account, collector, context));
}

/**
 * Feeds a file to a parser, as soon as it is clear what it is, and yields after every chunk. Whatever goes wrong is put
 * on the account, and what was good until then stays.
 */
async function* parse(
  run: Run,
  file: FileInput | StreamInput,
  makeSink: (layout: Layout) => Sink | null,
  known?: Layout,
) {
  const { account, options } = run;
  const shown = file.path;
  const detection = new Detection(options.inputFormat);
  const start = (layout: Layout): Parser | null => {
    if (layout.format === 'rows' && file.kind === 'file' && !file.named && !options.inputFormat) return null;
    if (layout.format === 'rows' && run.detail === 'events') {
      fail(account, shown, 'these are rows, which hold no events; give the logs that they were made from');
      return null;
    }
    const sink = makeSink(layout);
    if (!sink) return null;
    const maxValueBytes = options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES;
    const parser = run.makeParser({ framing: layout.framing, shape: layout.shape(run.detail), maxValueBytes }, sink);
    account.files++;
    for (const chunk of detection.taken.splice(0)) parser.write(chunk);
    return parser;
  };
  let layout: Layout | null | undefined;
  let parser: Parser | null = null;
  try {
    for await (const chunk of decompressed(counted(run, file))) {
      if (parser) parser.write(chunk);
      else {
        layout = detection.add(chunk);
        if (layout === undefined) continue;
        parser = layout && start(known ?? layout);
        if (!parser) break;
      }
      yield;
    }
  } catch (error) {
    fail(account, shown, reasonOf(error));
  }
  if (layout === undefined) {
    layout = detection.blank ? undefined : detection.end();
    parser = layout ? start(known ?? layout) : null;
  }
  if (layout === undefined) empty(account, shown, detection);
  else if (layout === null && (file.kind === 'stream' || file.named)) unknown(account, shown, options);
  parser?.end();
  yield;
}

async function* counted(run: Run, file: FileInput | StreamInput): AsyncGenerator<Uint8Array> {
  let before = run.account.trajectories;
  for await (const chunk of file.kind === 'stream' ? file.chunks : fileBytes(file.path)) {
    run.account.bytes += chunk.length;
    run.options.onProgress?.(chunk.length, run.account.trajectories - before);
    before = run.account.trajectories;
    yield chunk;
  }
}

/** Files that make up forecast runs. The summary names the runs and their order; some may have no folder. */
async function* readRuns(run: Run, input: RunsInput, collector: Collector<unknown>): AsyncGenerator<void> {
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
  const parts = parse(
    run,
    file,
    (layout) => {
      if (layout.format !== 'forecast') return null;
      const intake = new Intake(
        {
          ...layout,
          reader: (sink) => ({
            item() {},
            record: (value) => {
              runs = summaryRuns(value);
            },
            abandon: () => sink.abandon(),
          }),
        },
        file.path,
        run.account,
        collector,
        { name: null },
      );
      return intake;
    },
    forecastSummary,
  );
  for await (const _ of parts);
  return runs;
}

function folderOf(summary: Obj): string {
  const output = text(summary.output_dir);
  return output ? path.basename(output) : (name(summary.run_id, summary.task_id) ?? '');
}

async function* readRun(run: Run, folder: RunsInput['runs'][number], collector: Collector<unknown>, summary?: Obj) {
  const parts: RunParts = { name: folder.name, summary };
  let isRun = summary !== undefined;
  for (const file of folder.files) {
    const context = { name: nameOf(file.path), run: parts };
    yield* parse(run, file, (layout) => {
      // A file with one of these names may be something else, and then it is read as what it is.
      const own = layout.format === 'forecast';
      if (own) isRun = true;
      return new Intake(layout, file.path, run.account, collector, own ? context : { name: context.name });
    });
  }
  if (!isRun) return;
  run.account.trajectories++;
  collector.source = { path: folder.path, line: null, index: null };
  collector.end(runHead(parts));
  yield;
}

/** Reads the events of an instance from the file that it names; without that file, the row is all null. */
async function readElsewhere(run: Run, elsewhere: Elsewhere, collector: Collector<unknown>): Promise<void> {
  const { source, head } = elsewhere;
  const file = besides(source.path, elsewhere.path);
  let found = false;
  if (typeof file !== 'string') fail(run.account, source.path, `element ${source.index}: ${file.message}`);
  else {
    const end = (inner: TrajectoryHead) => {
      found = true;
      collector.complete(elsewhere, inner);
    };
    const input: FileInput = { kind: 'file', path: file, named: true, bytes: 0 };
    const parts = parse(
      run,
      input,
      (layout) => new Intake(layout, file, run.account, collector, { name: null }, end),
      trialEvents,
    );
    for await (const _ of parts);
  }
  if (found) return;
  run.account.trajectories++;
  collector.source = source;
  collector.end({ ...head, hasTrajectory: false });
}

/** A path in a log may lead only to what stands beside the log, or below. */
function besides(log: string, relative: string): string | { message: string } {
  if (log === '-') return { message: 'its trajectory is in another file, which cannot be found from standard input' };
  const folder = path.dirname(log);
  const file = path.join(folder, relative);
  const refused = { message: `refused to read ${JSON.stringify(relative)}: it leads out of the folder of this file` };
  if (path.isAbsolute(relative) || leavesFolder(path.relative(folder, file))) return refused;
  try {
    if (leavesFolder(path.relative(realpathSync(folder), realpathSync(file)))) return refused;
  } catch (error) {
    return { message: `cannot read ${JSON.stringify(relative)}: ${reasonOf(error)}` };
  }
  return file;
}

function leavesFolder(relative: string): boolean {
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
}

function nameOf(file: string): string {
  return path
    .basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.(jsonl|ndjson|json)$/i, '');
}

function fail(account: Account, path: string, message: string): void {
  account.unreadable++;
  addProblem(account, { path, line: null, message });
}

function unknown(account: Account, shown: string, { inputFormat }: ReadOptions): void {
  const known = inputFormat ? `a ${inputFormat} log` : `a log that trajstats knows (${INPUT_FORMATS.join(', ')})`;
  fail(account, shown, `not ${known}; --input-format says which one it is`);
}

function empty(account: Account, shown: string, detection: Detection): void {
  account.files++;
  const blank = detection.blankLines;
  account.lines += blank;
  account.blank += blank;
  addProblem(account, { path: shown, line: null, message: 'empty: it holds no records' });
}
