import path from 'node:path';
import { Detection, INPUT_FORMATS, type InputFormat, lineLayout } from '../formats/detect.ts';
import type { Layout } from '../formats/format.ts';
import type { Room } from '../model/room.ts';
import type { Parser, Sink } from '../parse/parser.ts';
import { addProblem } from '../read/account.ts';
import { fileBytes, rangeBytes } from '../read/bytes.ts';
import { decompressed } from '../read/decompress.ts';
import { type FileInput, reasonOf, type StreamInput } from '../read/inputs.ts';
import { RawLines } from '../read/raw-lines.ts';
import type { Collector } from './collector.ts';
import { Intake } from './intake.ts';
import { DEFAULT_MAX_VALUE_BYTES, fail, type Run } from './run.ts';

export type Source = FileInput | StreamInput;

const WORTH_READING_AHEAD = 4 * 1024 * 1024;

/** What takes the records of a layout; null where they are not wanted. */
export type MakeSink = (layout: Layout, raw: RawLines | null) => Sink | null;

/** Reads one file, whatever it is, into a collector; yields after every chunk. */
export function readFile(run: Run, file: Source, collector: Collector<unknown>): AsyncGenerator<void> {
  const context = { name: file.path === '-' ? null : nameOf(file.path) };
  return feed(run, file, (layout, raw) => new Intake(run, layout, file.path, raw, collector, context));
}

/**
 * Feeds a file to a parser, as soon as it is clear what it is, and yields after every chunk. Whatever goes wrong is put
 * on the account, and what was good until then stays.
 */
export async function* feed(run: Run, file: Source, makeSink: MakeSink, expected?: Layout): AsyncGenerator<void> {
  const { account, options } = run;
  const detection = new Detection(options.inputFormat);
  const asExpected = (found: Layout | null | undefined) => {
    if (!found || !expected) return found;
    return found.format === expected.format ? expected : null;
  };
  let layout: Layout | null | undefined =
    file.kind === 'file' && file.range ? lineLayout(file.range.format) : undefined;
  let parser = layout ? startParser(run, file, layout, makeSink) : null;
  let failed = false;
  try {
    for await (const chunk of bytesOf(run, file, () => parser?.room?.())) {
      if (parser) parser.write(chunk);
      else {
        layout = asExpected(detection.add(chunk));
        if (layout === undefined) continue;
        parser = layout && startParser(run, file, layout, makeSink);
        if (!parser) break;
        for (const taken of detection.taken.splice(0)) parser.write(taken);
      }
      yield;
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

function startParser(run: Run, file: Source, layout: Layout, makeSink: MakeSink): Parser | null {
  const { account, options } = run;
  if (layout.format === 'rows') {
    // Rows that lie in a folder of logs were made from them, and would count everything twice.
    if (file.kind === 'file' && !file.named && !options.inputFormat) return null;
    if (run.detail === 'events') {
      fail(account, file.path, 'these are rows, which hold no events; give the logs that they were made from');
      return null;
    }
  }
  const raw = options.keepRejects ? new RawLines() : null;
  const sink = makeSink(layout, raw);
  if (!sink) return null;
  if (file.kind === 'stream' || !file.range || file.range.start === 0) account.files++;
  const maxValueBytes = options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES;
  const parser = run.makeParser({ framing: layout.framing, shape: layout.shape(run.detail), maxValueBytes }, sink);
  return raw ? remembering(parser, raw) : parser;
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

function bytesOf(run: Run, file: Source, room: () => Room | undefined): AsyncIterable<Uint8Array> {
  const { maxExpansion, readAhead } = run.options;
  if (file.kind === 'stream') return decompressed(counted(run, file.chunks), maxExpansion);
  const how = { room, ahead: readAhead === true && file.bytes >= WORTH_READING_AHEAD };
  if (!file.range) return decompressed(counted(run, fileBytes(file.path, how)), maxExpansion);
  return counted(run, rangeBytes(file.path, file.range.start, file.range.end, how));
}

async function* counted(run: Run, chunks: StreamInput['chunks']): AsyncGenerator<Uint8Array> {
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
