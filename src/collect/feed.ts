import path from 'node:path';
import { Detection, HEAD_BYTES, INPUT_FORMATS, type InputFormat, lineLayout } from '../formats/detect.ts';
import type { Layout } from '../formats/format.ts';
import type { Room } from '../model/room.ts';
import type { Parser, ParserOptions, Sink } from '../parse/parser.ts';
import { addProblem } from '../read/account.ts';
import { fileBytes, rangeBytes, readHead, turn } from '../read/bytes.ts';
import { decompressed, isCompressed } from '../read/decompress.ts';
import { type Chunks, type FileInput, reasonOf, type StreamInput } from '../read/inputs.ts';
import { RawLines } from '../read/raw-lines.ts';
import type { Collector } from './collector.ts';
import { Intake } from './intake.ts';
import { DEFAULT_MAX_VALUE_BYTES, fail, type Run, type ScanAhead } from './run.ts';

export type Source = FileInput | StreamInput;

const WORTH_READING_AHEAD = 4 * 1024 * 1024;

/** To yield takes longer than to parse a small chunk: what is there waits for this much, while more is to come at once. */
const BYTES_PER_YIELD = 1024 * 1024;
/** What a pipe holds. A smaller chunk has emptied it, and nobody knows when the next one comes. */
const PIPE_BYTES = 64 * 1024;

/** What takes the records of a layout; null where they are not wanted. */
export type MakeSink = (layout: Layout, raw: RawLines | null) => Sink | null;

/** Reads one file, whatever it is, into a collector; yields now and then, and whenever what there is may be all for a while. */
export function readFile(run: Run, file: Source, collector: Collector<unknown>): AsyncGenerator<void> {
  const context = { name: file.path === '-' ? null : nameOf(file.path) };
  return feed(run, file, (layout, raw) => new Intake(run, layout, file.path, raw, collector, context));
}

/**
 * Feeds a file to a parser, as soon as it is clear what it is, and yields as `readFile` does. Whatever goes wrong is put
 * on the account, and what was good until then stays.
 */
export async function* feed(run: Run, file: Source, makeSink: MakeSink, expected?: Layout): AsyncGenerator<void> {
  const { account, options } = run;
  const detection = new Detection(options.inputFormat);
  const asExpected = (found: Layout | null | undefined) => {
    if (!found || !expected) return found;
    return found.format === expected.format ? expected : null;
  };
  if (options.scanAhead && file.kind === 'file' && file.scannedAhead) {
    const found = asExpected(layoutToScanAhead(file, options.inputFormat));
    if (found) {
      yield* scanned(run, file, found, makeSink, options.scanAhead);
      return;
    }
  }
  let layout: Layout | null | undefined =
    file.kind === 'file' && file.range ? lineLayout(file.range.format) : undefined;
  let parser = layout ? startParser(run, file, layout, makeSink) : null;
  let failed = false;
  let sinceYield = 0;
  let linesAtYield = account.lines;
  try {
    for await (const chunk of await bytesOf(run, file, () => parser?.room?.())) {
      if (parser) parser.write(chunk);
      else {
        layout = asExpected(detection.add(chunk));
        if (layout === undefined) continue;
        parser = layout && startParser(run, file, layout, makeSink);
        if (!parser) break;
        for (const taken of detection.taken.splice(0)) parser.write(taken);
      }
      sinceYield += chunk.length;
      const mayBeAll = chunk.length < PIPE_BYTES && account.lines !== linesAtYield;
      if (!mayBeAll && sinceYield < BYTES_PER_YIELD) continue;
      yield;
      sinceYield = 0;
      linesAtYield = account.lines;
      // Stages are one batch ahead of those behind them. Those have to be done before anybody waits for the next line.
      if (mayBeAll && file.kind === 'stream') await turn();
    }
  } catch (error) {
    failed = true;
    fail(account, file.path, reasonOf(error));
  }
  if (layout === undefined && !detection.blank) {
    layout = asExpected(detection.end());
    parser = layout ? startParser(run, file, layout, makeSink) : null;
    for (const taken of detection.taken.splice(0)) parser?.write(taken);
  }
  parser?.end();
  if (layout === undefined && !failed) tellEmpty(run, file, detection.blankLines);
  else if (layout === null && (file.kind === 'stream' || file.named)) tellUnknown(run, file, options.inputFormat);
  yield;
}

/** What a file is, if it can be scanned ahead: then its first bytes have to tell it, and must not be compressed. */
function layoutToScanAhead({ path, range }: FileInput, inputFormat: InputFormat | undefined): Layout | null {
  if (range) return lineLayout(range.format);
  const head = readHead(path, HEAD_BYTES);
  return isCompressed(head) ? null : (new Detection(inputFormat).add(head) ?? null);
}

/** As `feed`, with the help of a thread. */
async function* scanned(
  run: Run,
  file: FileInput,
  layout: Layout,
  makeSink: MakeSink,
  thread: ScanAhead,
): AsyncGenerator<void> {
  const { account, options } = run;
  const prepared = prepareParser(run, file, layout, makeSink, null);
  let before = account.trajectories;
  let sinceYield = 0;
  try {
    if (prepared)
      for await (const bytes of thread.parse(file.path, file.range?.start ?? 0, prepared.options, prepared.sink)) {
        account.bytes += bytes;
        options.onProgress?.(bytes, account.trajectories - before);
        before = account.trajectories;
        sinceYield += bytes;
        if (sinceYield < BYTES_PER_YIELD) continue;
        yield;
        sinceYield = 0;
      }
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkerDeath') throw error;
    fail(account, file.path, reasonOf(error));
  }
  yield;
}

function startParser(run: Run, file: Source, layout: Layout, makeSink: MakeSink): Parser | null {
  const raw = run.options.keepRejects ? new RawLines() : null;
  const prepared = prepareParser(run, file, layout, makeSink, raw);
  if (!prepared) return null;
  const parser = run.makeParser(prepared.options, prepared.sink);
  return raw ? remembering(parser, raw) : parser;
}

/** What a parser needs for this layout; null where it is not wanted. */
function prepareParser(
  run: Run,
  file: Source,
  layout: Layout,
  makeSink: MakeSink,
  raw: RawLines | null,
): { options: ParserOptions; sink: Sink } | null {
  const { account, options } = run;
  if (layout.format === 'rows') {
    // Rows that lie in a folder of logs were made from them, and would count everything twice.
    if (file.kind === 'file' && !file.named && !options.inputFormat) return null;
    if (run.detail === 'events') {
      fail(account, file.path, 'these are rows, which hold no events; give the logs that they were made from');
      return null;
    }
  }
  const sink = makeSink(layout, raw);
  if (!sink) return null;
  if (file.kind === 'stream' || !file.range || file.range.start === 0) account.files++;
  const maxValueBytes = options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES;
  return { options: { framing: layout.framing, shape: layout.shape(run.detail), maxValueBytes }, sink };
}

function remembering(parser: Parser, raw: RawLines): Parser {
  return {
    write(chunk) {
      raw.add(chunk);
      parser.write(chunk);
    },
    end: () => parser.end(),
  };
}

async function bytesOf(run: Run, file: Source, room: () => Room | undefined): Promise<AsyncIterable<Uint8Array>> {
  const { maxExpansion, readAhead } = run.options;
  if (file.kind === 'stream') {
    const chunks = typeof file.chunks === 'function' ? file.chunks(room) : file.chunks;
    return decompressed(counted(run, chunks), maxExpansion);
  }
  const how = { room, ahead: readAhead === true && file.bytes >= WORTH_READING_AHEAD };
  if (!file.range) return decompressed(counted(run, fileBytes(file.path, how)), maxExpansion);
  return counted(run, rangeBytes(file.path, file.range.start, file.range.end, how));
}

async function* counted(run: Run, chunks: Chunks): AsyncGenerator<Uint8Array> {
  let before = run.account.trajectories;
  for await (const chunk of chunks) {
    run.account.bytes += chunk.length;
    run.options.onProgress?.(chunk.length, run.account.trajectories - before);
    before = run.account.trajectories;
    yield chunk;
  }
}

function tellEmpty({ account }: Run, file: Source, blankLines: number): void {
  account.files++;
  account.lines += blankLines;
  account.blank += blankLines;
  addProblem(account, { path: file.path, line: null, message: 'empty: it holds no records' });
}

function tellUnknown({ account }: Run, file: Source, only: InputFormat | undefined): void {
  const known = only ? `a ${only} log` : `a log that trajstats knows (${INPUT_FORMATS.join(', ')})`;
  fail(account, file.path, `not ${known}; --input-format says which one it is`);
}

/** A file's name without its folder, and without the extensions that say how it is written. */
export function nameOf(file: string): string {
  return path
    .basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.(jsonl|ndjson|json)$/i, '');
}
