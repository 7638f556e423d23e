import { recogniseForecast } from './forecast.ts';
import type { Layout, Recognise } from './format.ts';
import { peek } from './peek.ts';
import { recogniseRows, rows } from './rows.ts';
import { recogniseSdk, sdkArray, sdkLines } from './sdk.ts';
import { recogniseTrials, trials } from './trials.ts';
import { recogniseVally, vally } from './vally.ts';

/** How much of an input is looked at before it counts as unknown. */
export const HEAD_BYTES = 64 * 1024;

export const INPUT_FORMATS = ['vally', 'trials', 'sdk', 'forecast', 'rows'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** Each format with how to recognise it, and what it is taken for where nothing is recognised but the user names it. */
const FORMATS: Record<InputFormat, { recognise: Recognise; otherwise: (array: boolean) => Layout | null }> = {
  rows: { recognise: recogniseRows, otherwise: () => rows },
  vally: { recognise: recogniseVally, otherwise: () => vally },
  trials: { recognise: recogniseTrials, otherwise: () => trials },
  forecast: { recognise: recogniseForecast, otherwise: () => null },
  sdk: { recognise: recogniseSdk, otherwise: (array) => (array ? sdkArray : sdkLines) },
};

/** The layout of a format whose records are lines. */
export function lineLayout(format: 'vally' | 'sdk' | 'rows'): Layout {
  return { vally, sdk: sdkLines, rows }[format];
}

/** Looked at again after each of the first lines, then after twice as many, and then only when the head is full. */
const LOOKED_AT = [1, 2, 3, 4, 8, 16, 32, 64];

/** How far lines that are no JSON are passed over in the hope of better ones; the zeros of sparse files are free. */
const MOST_PASSED = 16 * 1024 * 1024;

/**
 * Tells from the first bytes of an input what it is. It looks at the growing head at some of its newlines, when the head
 * is full, and at the end of the input, so what it says does not depend on how the bytes were cut into chunks.
 */
export class Detection {
  /** The bytes taken so far. */
  readonly taken: Uint8Array[] = [];
  /** As large as what has come so far, so that many small files cost little. */
  private head = new Uint8Array(0);
  private size = 0;
  private lines = 0;
  /** What it looked like, where more of it might tell otherwise. */
  private unsure: Layout | null = null;
  /** On the way to the end of a line that is no JSON. */
  private passing = false;
  private passed = 0;
  private textPassed = false;
  private blankLinesPassed = 0;
  private lastByte = NEWLINE;

  constructor(private readonly only?: InputFormat) {}

  /** The layout as soon as it is known, null when it is known to be unknown, undefined to ask for more. */
  add(chunk: Uint8Array): Layout | null | undefined {
    this.taken.push(isZeros(chunk) ? ZEROS.subarray(0, chunk.length) : copyOf(chunk));
    this.lastByte = chunk.at(-1) ?? this.lastByte;
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, this.passing ? lineLength(rest) : HEAD_BYTES - this.size);
      const layout = this.passing ? this.pass(part) : this.look(part);
      if (layout !== undefined) return layout;
      rest = rest.subarray(part.length);
    }
    return undefined;
  }

  end(): Layout | null {
    const head = this.head.subarray(0, this.size);
    const guess = detect(head, this.only);
    if (guess?.sure) return guess.layout;
    return this.unsure ?? guess?.layout ?? (this.only ? FORMATS[this.only].otherwise(isArray(head)) : null);
  }

  get blank(): boolean {
    return !this.textPassed && firstText(decode(this.head.subarray(0, this.size)), 0) < 0;
  }

  /** Lines of an input that was blank to its end; a last one needs no newline. */
  get blankLines(): number {
    return this.blankLinesPassed + newlinesIn(this.head.subarray(0, this.size)) + (this.lastByte === NEWLINE ? 0 : 1);
  }

  private look(part: Uint8Array): Layout | null | undefined {
    const before = this.size;
    if (before + part.length > this.head.length) {
      const larger = new Uint8Array(before > 0 ? HEAD_BYTES : part.length);
      larger.set(this.head);
      this.head = larger;
    }
    this.head.set(part, before);
    this.size += part.length;
    const head = this.head.subarray(0, this.size);
    for (let newline = head.indexOf(NEWLINE, before); newline >= 0; newline = head.indexOf(NEWLINE, newline + 1)) {
      if (!LOOKED_AT.includes(++this.lines)) continue;
      const guess = detect(head.subarray(0, newline + 1), this.only);
      if (guess?.sure) return guess.layout;
      this.unsure ??= guess?.layout ?? null;
    }
    return this.size < HEAD_BYTES ? undefined : (this.end() ?? this.passOver());
  }

  /**
   * A head of nothing that is JSON, such as the hole in a log that was rotated while it was written, or the end of a line
   * whose start is lost, does not hide the lines behind it. A head of JSON is a file of something else.
   */
  private passOver(): null | undefined {
    const text = decode(this.head);
    const first = firstText(text, 0);
    if (first >= 0 && /[[{]/.test(text[first])) return null;
    if (first >= 0) this.textPassed = true;
    this.passing = first >= 0 && this.head[HEAD_BYTES - 1] !== NEWLINE;
    this.blankLinesPassed += newlinesIn(this.head);
    this.size = 0;
    this.lines = 0;
    return this.countPassed(this.head);
  }

  private pass(part: Uint8Array): null | undefined {
    this.passing = part.at(-1) !== NEWLINE;
    return this.countPassed(part);
  }

  private countPassed(bytes: Uint8Array): null | undefined {
    if (!isZeros(bytes)) for (const byte of bytes) if (byte !== 0) this.passed++;
    return this.passed > MOST_PASSED ? null : undefined;
  }
}

/** Stands for whatever is nothing but zeros, so that a hole of gigabytes takes no memory. */
const ZEROS = new Uint8Array(256 * 1024);

function isZeros(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes.length <= ZEROS.length && Buffer.compare(bytes, ZEROS.subarray(0, bytes.length)) === 0;
}

/** Not by `slice`, which is no copy where the chunk is a Buffer. */
function copyOf(chunk: Uint8Array): Uint8Array {
  return new Uint8Array(chunk);
}

function lineLength(bytes: Uint8Array): number {
  const newline = bytes.indexOf(NEWLINE);
  return newline < 0 ? bytes.length : newline + 1;
}

function newlinesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}

const NEWLINE = 0x0a;

interface Guess {
  layout: Layout;
  sure: boolean;
}

/** How much is read in one look, in heads: where every line is the start of a value that has no end, it adds up. */
const EFFORT = 8 * HEAD_BYTES;

/** A bad or unknown first line does not hide the good ones behind it. */
function detect(head: Uint8Array, only?: InputFormat): Guess | null {
  const text = decode(head);
  const formats = only ? [FORMATS[only]] : Object.values(FORMATS);
  let unsure: Layout | null = null;
  let effort = 0;
  for (let from = firstText(text, 0); from >= 0 && effort < EFFORT; from = nextLine(text, from)) {
    const seen = peek(text.slice(from));
    effort += seen.looked;
    const layout = recognised(seen.value, formats);
    if (!layout) {
      // An empty array holds no trajectory in any format.
      if (seen.end !== null && Array.isArray(seen.value) && seen.value.length === 0) unsure ??= trials;
      continue;
    }
    const open = unsure === null || unsure === trials;
    if (layout.framing !== 'lines') {
      if (open && !seen.broken) return { layout, sure: true };
      unsure ??= layout;
      continue;
    }
    const rest = seen.end === null ? '' : restOfLine(text, from + seen.end);
    if (!seen.severalLines && !seen.broken && rest === '') return { layout, sure: true };
    const documents = seen.severalLines || /^[[{]/.test(rest);
    const guess: Layout = documents ? { ...layout, framing: 'documents' } : layout;
    if (open && seen.severalLines && seen.end !== null) return { layout: guess, sure: true };
    // A document over several lines, or several on one; but it may be a first line that was cut off, or that has lost its
    // newline, and then a line behind it will be a record by itself.
    unsure ??= guess;
  }
  return unsure && { layout: unsure, sure: false };
}

function recognised(sample: unknown, formats: { recognise: Recognise }[]): Layout | null {
  for (const { recognise } of formats) {
    const layout = recognise(sample);
    if (layout) return layout;
  }
  return null;
}

/** What stands behind a value on the line where it ends. */
function restOfLine(text: string, at: number): string {
  const newline = text.indexOf('\n', at);
  return text.slice(at, newline < 0 ? text.length : newline).trim();
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

function isArray(head: Uint8Array): boolean {
  const text = decode(head);
  return text[firstText(text, 0)] === '[';
}

function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? -1 : firstText(text, newline + 1);
}

function firstText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (!/[\s\ufeff]/.test(text[at])) return at;
  return -1;
}
