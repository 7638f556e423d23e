import type { Where } from '../aggregate/where.ts';
import type { InputFormat } from '../formats/detect.ts';
import type { Detail } from '../formats/format.ts';
import type { Reject } from '../model/reject.ts';
import type { ParserName } from '../parse/choose.ts';
import type { MakeParser, ParserOptions, Sink } from '../parse/parser.ts';
import { type Account, addProblem } from '../read/account.ts';

export interface ReadOptions {
  inputFormat?: InputFormat;
  parser?: ParserName;
  /** Texts longer than this are cut; see --max-value-bytes. */
  maxValueBytes?: number;
  /** Only rows for which all of these hold. */
  where?: Where[];
  /** How many times as large compressed data may become; see --max-expansion. */
  maxExpansion?: number;
  /** Read large files ahead of their use, where a core is free to do it. */
  readAhead?: boolean;
  /** A thread that scans the file ahead of the parsing, where there is one. */
  scanAhead?: ScanAhead;
  /** Keep the bad lines as they are, for --rejects. */
  keepRejects?: boolean;
  /** Told of bytes as they are read from the files, before decompression, and of trajectories as they end. */
  onProgress?: (bytes: number, trajectories: number) => void;
}

export interface ScanAhead {
  /** Parses a file, calls the sink, and tells now and then how many more bytes were read. */
  parse(path: string, from: number, options: ParserOptions, sink: Sink): AsyncIterable<number>;
}

export const DEFAULT_MAX_VALUE_BYTES = 1024 * 1024;

/** What all stages of one input share. */
export interface Run {
  detail: Detail;
  options: ReadOptions;
  makeParser: MakeParser;
  account: Account;
  /** Bad lines that nobody has taken yet. */
  rejects: Reject[];
}

/** An input that cannot be read, or not to its end. */
export function fail(account: Account, path: string, message: string): void {
  account.unreadable++;
  addProblem(account, { path, line: null, message });
}
