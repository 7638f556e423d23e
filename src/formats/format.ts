import type { EventDigest } from '../model/digest.ts';
import type { FormatName } from '../model/row.ts';
import type { TrajectorySink } from '../model/trajectory.ts';
import type { Framing } from '../parse/parser.ts';
import type { Shape } from '../parse/shape.ts';
import type { RunParts } from './forecast-run.ts';

/** What is to be known: what a report needs, or what the metrics of a row need, or all of the events, to print them. */
export type Detail = 'report' | 'metrics' | 'events';

/** One way in which a format lies in a file: how its records are found, what is wanted of them, and what they mean. */
export interface Layout {
  format: FormatName | 'rows';
  framing: Framing;
  shape(detail: Detail): Shape;
  reader(sink: TrajectorySink, context: ReaderContext): Reader;
}

export interface ReaderContext {
  /** The file's name without folder and extension, for layouts that carry no name of their own; null for stdin. */
  name: string | null;
  /** Given where several files make one forecast run: then the reader adds its part and ends nothing. */
  run?: RunParts;
}

/** Turns the pruned items and records of a log into events and trajectories. */
export interface Reader {
  item(stream: string, value: unknown): void;
  /** For readers whose shape asks for digests. */
  digest?(digest: EventDigest): void;
  record(value: unknown): void;
  /** The record turned out to be bad: what its items left behind must go. */
  abandon(): void;
}

/** A part of the input, parsed as far as it goes, to tell what it is. */
export type Recognise = (sample: unknown) => Layout | null;

/** A shape for each detail, made once: a parser knows a shape again, and preparing one takes longer than a small file. */
export function perDetail(make: (detail: Detail) => Shape): (detail: Detail) => Shape {
  const made = new Map<Detail, Shape>();
  return (detail) => {
    const shape = made.get(detail) ?? make(detail);
    made.set(detail, shape);
    return shape;
  };
}
