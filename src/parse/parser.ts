import type { EventDigest } from '../model/digest.ts';
import type { Room } from '../model/room.ts';
import type { Shape } from './shape.ts';

/**
 * The seam between bytes and formats. A parser takes bytes in chunks of any size and a shape, and hands over pruned
 * items and record ends. There are two: `stream-json.ts`, plain and the reference, and `simd/`, the fast one. On every
 * input they must agree, down to the last call.
 */
export interface Parser {
  /** Where a chunk may be read to, to save copying it; the last eight that it gave may still be in use. */
  room?(): Room;
  /** The chunk may be reused by the caller as soon as this returns. */
  write(chunk: Uint8Array): void;
  end(): void;
}

/**
 * How records lie in the bytes.
 * - `lines`: one JSON value a line; a bad line costs only itself.
 * - `elements`: JSON arrays, whose elements are the records.
 * - `documents`: JSON values, each of them a record.
 * Arrays and documents may follow one another, as after `cat a.json b.json`.
 */
export type Framing = 'lines' | 'elements' | 'documents';

export interface ParserOptions {
  framing: Framing;
  shape: Shape;
  /** Kept strings and keys are cut to at most this many bytes of UTF-8, between characters. */
  maxValueBytes: number;
  /** Where this input begins, when it is a part of a larger one. */
  firstLine?: number;
  firstOffset?: number;
}

/** Where a record lies. */
export interface RecordPlace {
  /** The line (1-based) that completed the record, or that the problem is on. */
  line: number;
  /** Byte offset of that line's first byte. */
  offset: number;
  /** Position among the elements of its array, in `elements`; else null. */
  index: number | null;
}

/**
 * Called in document order. An item comes as soon as it is complete, hence before the record that it is part of, and
 * the items of a streamed array inside a streamed array come before the item that contains them.
 */
export interface Sink {
  item(stream: string, value: unknown): void;
  /** Instead of some items that follow one another, where the shape allows it; which of them is the parser's choice. */
  digest?(digest: EventDigest): void;
  /** A record is complete. `cut` counts the strings in it, items included, that were longer than `maxValueBytes`. */
  record(value: unknown, place: RecordPlace, cut: number): void;
  /** The record is not JSON: the items handed over since the last record end are void. */
  bad(message: string, place: RecordPlace): void;
  /** Lines of nothing but white space. */
  blank(lines: number): void;
  /** The input ends in the middle of a record, with this many bytes of that line; its items are void. */
  tail(bytes: number, place: RecordPlace): void;
}

export type MakeParser = (options: ParserOptions, sink: Sink) => Parser;
