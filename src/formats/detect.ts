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

/** Looked at again after each of so many lines, and then only when the head is full. */
const LINES_TRIED = 100;

/**
 * Tells from the first bytes of an input what it is. It looks at the growing head at each newline, when the head is
 * full, and at the end of the input, so what it says does not depend on how the bytes were cut into chunks.
 */
export class Detection {
  /** The bytes taken so far. */
  readonly taken: Uint8Array[] = [];
  private readonly head = new Uint8Array(HEAD_BYTES);
  private size = 0;
  private lines = 0;
  /** What it looked like, where more of it might tell otherwise. */
  private unsure: Layout | null = null;

  constructor(private readonly only?: InputFormat) {}

  /** The layout as soon as it is known, null when it is known to be unknown, undefined to ask for more. */
  add(chunk: Uint8Array): Layout | null | undefined {
    // Not `slice`, which is no copy where the chunk is a Buffer.
    this.taken.push(new Uint8Array(chunk));
    const before = this.size;
    const part = chunk.subarray(0, HEAD_BYTES - before);
    this.head.set(part, before);
    this.size += part.length;
    let newline = this.head.subarray(0, this.size).indexOf(NEWLINE, before);
    while (newline >= 0 && this.lines < LINES_TRIED) {
      this.lines++;
      const guess = detect(this.head.subarray(0, newline + 1), this.only);
      if (guess?.sure) return guess.layout;
      this.unsure ??= guess?.layout ?? null;
      newline = this.head.subarray(0, this.size).indexOf(NEWLINE, newline + 1);
    }
    return this.size === HEAD_BYTES ? this.end() : undefined;
  }

  end(): Layout | null {
    const head = this.head.subarray(0, this.size);
    const guess = detect(head, this.only);
    if (guess?.sure) return guess.layout;
    return this.unsure ?? guess?.layout ?? (this.only ? FORMATS[this.only].otherwise(isArray(head)) : null);
  }

  get blank(): boolean {
    return firstText(decode(this.head.subarray(0, this.size)), 0) < 0;
  }

  /** Lines of an input that was blank to its end; a last one needs no newline. */
  get blankLines(): number {
    const head = this.head.subarray(0, this.size);
    let lines = this.size > 0 && head[this.size - 1] !== NEWLINE ? 1 : 0;
    for (const byte of head) if (byte === NEWLINE) lines++;
    return lines;
  }
}

const NEWLINE = 0x0a;

interface Guess {
  layout: Layout;
  sure: boolean;
}

/** A bad or unknown first line does not hide the good ones behind it. */
function detect(head: Uint8Array, only?: InputFormat): Guess | null {
  const text = decode(head);
  const formats = only ? [FORMATS[only]] : Object.values(FORMATS);
  let unsure: Layout | null = null;
  for (let from = firstText(text, 0); from >= 0; from = nextLine(text, from)) {
    const seen = peek(text.slice(from));
    if (!seen) continue;
    const layout = recognised(seen.value, formats);
    // An empty array holds no trajectory in any format.
    if (!layout && seen.end !== null && Array.isArray(seen.value) && seen.value.length === 0) unsure ??= trials;
    if (!layout) continue;
    if (layout.framing !== 'lines') {
      if (!unsure || unsure === trials) return { layout, sure: true };
      continue;
    }
    const alone = seen.end === null || isLineEnd(text, from + seen.end);
    if (!seen.severalLines && alone) return { layout, sure: true };
    if (seen.severalLines && seen.end !== null && (!unsure || unsure === trials))
      return { layout: { ...layout, framing: 'documents' }, sure: true };
    // A document over several lines, or several on one; but it may be a first line that was cut off, or that has lost its
    // newline, and then a line behind it will be a record by itself.
    unsure ??= { ...layout, framing: 'documents' };
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

/** Whether nothing that could be another value follows on this line. */
function isLineEnd(text: string, at: number): boolean {
  return !/^[ \t\r]*[[{]/.test(text.slice(at));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
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
