import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser } from 'stream-json/core/parser.js';
import { epochMs } from '../stats/epoch-ms.ts';
import { cutToBytes } from './cut.ts';
import type { MakeParser, Parser, ParserOptions, RecordPlace, Sink } from './parser.ts';
import { memberShape, readsTime, type Shape, setMember } from './shape.ts';

/** The reference parser: stream-json's tokens, walked along the shape. */
export const streamJsonParser: MakeParser = (options, sink) =>
  options.framing === 'lines' ? new LinesParser(options, sink) : new DocumentsParser(options, sink);

type Token = { name: string; value?: unknown };
type Tokenizer = (text: string | typeof none) => Iterable<Token>;

const TOKENS = { packKeys: false, packStrings: false, streamNumbers: false };
const NEWLINE = 0x0a;
const BOM = '\ufeff';
const PIECE_ENDS = /(?<=[,\]}])/;

function tokenizer(jsonStreaming: boolean): Tokenizer {
  const parse = jsonParser({ ...TOKENS, jsonStreaming }) as (text: unknown) => unknown;
  return (text) => {
    const tokens = parse(text);
    if (tokens === none) return [];
    return (isMany(tokens) ? getManyValues(tokens) : [tokens]) as Token[];
  };
}

class LinesParser implements Parser {
  private line: number;
  private offset: number;
  private lineStart: number;
  private reading: LineReading | null = null;

  constructor(
    private readonly options: ParserOptions,
    private readonly sink: Sink,
  ) {
    this.line = options.firstLine ?? 1;
    this.offset = options.firstOffset ?? 0;
    this.lineStart = this.offset;
  }

  write(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline;
      if (to > from) this.take(chunk.subarray(from, to));
      this.offset += to - from;
      from = to;
      if (newline >= 0) {
        this.finishLine();
        from++;
        this.offset++;
        this.line++;
        this.lineStart = this.offset;
      }
    }
  }

  end(): void {
    if (!this.reading) return;
    const { reading } = this;
    this.reading = null;
    reading.finish();
    if (reading.blank) this.sink.blank(1);
    else if (reading.problem !== null) this.sink.tail(this.offset - this.lineStart, this.place());
    else this.sink.record(reading.walker.value, this.place(), reading.walker.cut);
  }

  private take(bytes: Uint8Array): void {
    this.reading ??= new LineReading(this.options, this.sink);
    this.reading.take(bytes);
  }

  private finishLine(): void {
    const { reading } = this;
    this.reading = null;
    reading?.finish();
    if (!reading || reading.blank) this.sink.blank(1);
    else if (reading.problem !== null) this.sink.bad(reading.problem, this.place());
    else this.sink.record(reading.walker.value, this.place(), reading.walker.cut);
  }

  private place(): RecordPlace {
    return { line: this.line, offset: this.lineStart, index: null };
  }
}

/** One line while it streams by; after a problem the rest of it is let pass. */
class LineReading {
  blank = true;
  problem: string | null = null;
  readonly walker: Walker;
  private readonly decoder = strictDecoder();
  private readonly tokens = tokenizer(false);
  private first = true;

  constructor(options: ParserOptions, sink: Sink) {
    this.walker = new Walker(options, sink);
  }

  take(bytes: Uint8Array): void {
    if (this.problem === null) this.attempt(() => this.feed(this.decoder.decode(bytes, { stream: true })));
  }

  finish(): void {
    if (this.problem !== null) return;
    this.attempt(() => {
      this.feed(this.decoder.decode());
      if (this.blank) return;
      for (const token of this.tokens(none)) this.walker.take(token);
      if (!this.walker.complete) throw new Error('unexpected end');
    });
  }

  private feed(text: string): void {
    if (this.first && text.length > 0) {
      this.first = false;
      // A byte-order mark stands where files were put together with `cat`.
      if (text.startsWith(BOM)) text = text.slice(1);
    }
    if (this.blank && /[^ \t\r\n]/.test(text)) this.blank = false;
    for (const token of this.tokens(text)) this.walker.take(token);
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.blank = false;
      this.problem = describe(error);
    }
  }
}

/** JSON values one after the other; there is no way to find the next one after an error, so the rest is let pass. */
class DocumentsParser implements Parser {
  private readonly walker: Walker;
  private readonly decoder = strictDecoder();
  private readonly tokens = tokenizer(true);
  private line: number;
  private offset: number;
  private lineStart: number;
  private stopped = false;
  private first = true;

  constructor(
    private readonly options: ParserOptions,
    private readonly sink: Sink,
  ) {
    this.line = options.firstLine ?? 1;
    this.offset = options.firstOffset ?? 0;
    this.lineStart = this.offset;
    this.walker = new Walker(options, sink, (value, index) => {
      const cut = this.walker.cut;
      this.walker.cut = 0;
      this.sink.record(value, this.place(index), cut);
    });
  }

  write(chunk: Uint8Array): void {
    // Fed line by line, so that a problem can name its line.
    let from = 0;
    while (from < chunk.length && !this.stopped) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline + 1;
      this.attempt(() => this.feed(this.decoder.decode(chunk.subarray(from, to), { stream: true })));
      this.offset += to - from;
      from = to;
      if (newline >= 0 && !this.stopped) {
        this.line++;
        this.lineStart = this.offset;
      }
    }
  }

  end(): void {
    if (this.stopped) return;
    this.attempt(() => this.feed(this.decoder.decode()));
    if (this.stopped) return;
    let cutOff = false;
    try {
      for (const token of this.tokens(none)) this.walker.take(token);
    } catch (error) {
      if (error instanceof Misplaced) return this.refuse(error);
      // The tokenizer complains here only of what is missing at the end.
      cutOff = true;
    }
    if (cutOff || !this.walker.atRest)
      this.sink.tail(this.offset - this.lineStart, this.place(this.walker.elementIndex));
  }

  private feed(text: string): void {
    if (this.first && text.length > 0) {
      this.first = false;
      if (text.startsWith(BOM)) text = text.slice(1);
    }
    // In small pieces: when the tokenizer throws, the tokens of the piece that it is at are lost.
    for (const piece of text.split(PIECE_ENDS)) for (const token of this.tokens(piece)) this.walker.take(token);
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    this.stopped = true;
    this.sink.bad(describe(error), this.place(this.walker.elementIndex));
  }

  private place(index: number | null): RecordPlace {
    return { line: this.line, offset: this.lineStart, index: this.options.framing === 'elements' ? index : null };
  }
}

interface Frame {
  container: Record<string, unknown> | unknown[];
  shape: Shape;
  key: string;
  /** The outer array of `elements`: its items are records. */
  outer: boolean;
  /** Keys whose value has handed over items already. */
  handed: Set<string> | null;
  itemsBefore: number;
}

/** Follows the tokens of a value along a shape, and builds what the shape asks for. */
class Walker {
  value: unknown = undefined;
  complete = false;
  cut = 0;
  private readonly stack: Frame[] = [];
  private skipped = 0;
  private items = 0;
  private index = 0;
  private wanted: Shape | undefined = undefined;
  private text: TextTaker | null = null;

  constructor(
    private readonly options: ParserOptions,
    private readonly sink: Sink,
    private readonly record: ((value: unknown, index: number | null) => void) | null = null,
  ) {}

  /** Between two documents. */
  get atRest(): boolean {
    return this.stack.length === 0 && this.skipped === 0 && this.text === null;
  }

  get elementIndex(): number | null {
    return this.options.framing === 'elements' ? this.index : null;
  }

  take(token: Token): void {
    switch (token.name) {
      case 'startObject':
        return this.open({});
      case 'startArray':
        return this.open([]);
      case 'endObject':
      case 'endArray':
        return this.close();
      case 'startKey':
        this.text = this.skipped ? null : new KeptText(this.options.maxValueBytes);
        return;
      case 'endKey':
        if (!this.skipped) this.startMember((this.text as KeptText).done(this) as string);
        this.text = null;
        return;
      case 'startString':
        this.wanted = this.skipped ? undefined : this.nextShape();
        this.text = this.wanted ? textTaker(this.wanted, this.options.maxValueBytes) : null;
        return;
      case 'stringChunk':
        this.text?.take(token.value as string);
        return;
      case 'endString': {
        const { text } = this;
        this.text = null;
        if (text) this.deliver(text.done(this));
        else if (!this.skipped) this.passed();
        return;
      }
      case 'numberValue':
        return this.scalar(Number(token.value));
      default:
        return this.scalar(token.value);
    }
  }

  private scalar(value: unknown): void {
    if (this.skipped) return;
    const shape = this.nextShape();
    if (shape) this.deliver(typeof value === 'number' && readsTime(shape) ? null : value);
    else this.passed();
  }

  private startMember(key: string): void {
    const frame = this.stack[this.stack.length - 1];
    frame.key = key;
    frame.itemsBefore = this.items;
    if (frame.handed?.has(key)) throw new Error(`the key ${JSON.stringify(key)} stands twice in one object`);
  }

  private nextShape(): Shape | undefined {
    const frame = this.stack[this.stack.length - 1];
    if (!frame) {
      if (this.options.framing === 'elements') throw new Misplaced('expected an array');
      return this.options.shape;
    }
    if (frame.outer) return this.options.shape;
    return Array.isArray(frame.container) ? frame.shape.items : memberShape(frame.shape, frame.key);
  }

  private open(container: Record<string, unknown> | unknown[]): void {
    if (this.skipped) {
      this.skipped++;
      return;
    }
    const outer = this.stack.length === 0 && this.options.framing === 'elements' && Array.isArray(container);
    if (outer) this.index = 0;
    const shape = outer ? this.options.shape : this.nextShape();
    if (!shape) this.skipped = 1;
    else this.stack.push({ container, shape, key: '', outer, handed: null, itemsBefore: 0 });
  }

  private close(): void {
    if (this.skipped) {
      this.skipped--;
      if (!this.skipped) this.passed();
      return;
    }
    const frame = this.stack.pop() as Frame;
    if (!frame.outer) this.deliver(frame.container);
  }

  /** A value that nobody wanted has gone by. */
  private passed(): void {
    if (this.stack.length === 0) this.complete = true;
  }

  private deliver(value: unknown): void {
    const frame = this.stack[this.stack.length - 1];
    if (!frame || frame.outer) {
      this.value = value;
      this.complete = true;
      this.record?.(value, frame ? this.index : null);
      if (frame) this.index++;
    } else if (Array.isArray(frame.container)) {
      if (frame.shape.stream === undefined) frame.container.push(value);
      else {
        this.items++;
        this.sink.item(frame.shape.stream, value);
      }
    } else {
      if (this.items > frame.itemsBefore) {
        frame.handed ??= new Set();
        frame.handed.add(frame.key);
      }
      setMember(frame.container, frame.key, value);
    }
  }
}

interface TextTaker {
  take(piece: string): void;
  done(walker: Walker): unknown;
}

function textTaker(shape: Shape, maxBytes: number): TextTaker {
  if (shape.text) return new FoldedText(shape.text);
  if (shape.length) return new MeasuredText();
  return readsTime(shape) ? new TimeText(maxBytes) : new KeptText(maxBytes);
}

class KeptText implements TextTaker {
  private text = '';
  private bytes = 0;
  private wasCut = false;

  constructor(private readonly maxBytes: number) {}

  take(piece: string): void {
    if (this.wasCut) return;
    const kept = cutToBytes(piece, this.maxBytes - this.bytes);
    this.wasCut = kept.length < piece.length;
    this.bytes += Buffer.byteLength(kept);
    this.text += kept;
  }

  done(walker: Walker): string {
    if (this.wasCut) walker.cut++;
    return this.text;
  }
}

class TimeText implements TextTaker {
  private readonly text: KeptText;

  constructor(maxBytes: number) {
    this.text = new KeptText(maxBytes);
  }

  take(piece: string): void {
    this.text.take(piece);
  }

  done(walker: Walker): number | null {
    return epochMs(this.text.done(walker));
  }
}

class MeasuredText implements TextTaker {
  private length = 0;

  take(piece: string): void {
    this.length += piece.length;
  }

  done(): unknown {
    return { length: this.length };
  }
}

class FoldedText implements TextTaker {
  private state: unknown;

  constructor(private readonly fold: NonNullable<Shape['text']>) {
    this.state = fold.init();
  }

  take(piece: string): void {
    this.state = this.fold.step(this.state, piece);
  }

  done(): unknown {
    return this.fold.done(this.state);
  }
}

/** JSON, but not where it may stand. */
class Misplaced extends Error {}

function strictDecoder() {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

function describe(error: unknown): string {
  if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'not valid UTF-8';
  const reason = (error as Error).message.replace(/^Parser (cannot parse input: |has )?/, '');
  return `not valid JSON: ${reason}`;
}
