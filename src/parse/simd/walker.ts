import type { RecordPlace, Sink } from '../parser.ts';
import { type Shape, setMember, type TextFold } from '../shape.ts';
import { Encoding, Op } from './codes.ts';
import type { Engine } from './engine.ts';
import { describeProblem } from './problems.ts';
import type { Tables } from './tables.ts';

type Members = Record<string, unknown>;

/** What the current container is. */
// biome-ignore lint/suspicious/noConstEnum: inlined
const enum Into {
  Nothing,
  Object,
  Array,
  Stream,
}

/** A container that is open around the current one. */
interface Frame {
  into: Into;
  container: Members | unknown[];
  stream: string;
  /** Where the current container belongs in it. */
  key: string;
  /** Keys whose value has handed over items already. */
  handed: Set<string> | null;
  itemsBefore: number;
}

const WORDS_PER_ENTRY = 4;

/** Follows the tape: builds the values that it spells, and calls the sink. */
export class Walker {
  private into = Into.Nothing;
  private container: Members | unknown[] = [];
  private stream = '';
  private readonly frames: Frame[] = [];
  private depth = 0;

  /** The name of the next value, where it is not a declared field. */
  private key = '';
  private value: unknown = undefined;
  private cut = 0;
  private items = 0;
  /** The current object's keys whose value has handed over items. */
  private handed: Set<string> | null = null;

  /** Parts of a string or key whose end is still to come. */
  private pieces = '';
  private foldState: unknown = undefined;
  private folding = false;

  /** Why the record is bad though it is JSON; nothing of it is handed over any more. */
  private problem: string | null = null;
  private stopped = false;

  constructor(
    private readonly engine: Engine,
    private readonly tables: Tables,
    private readonly sink: Sink,
    private readonly framing: 'lines' | 'elements' | 'documents',
  ) {}

  /** Walks the tape up to this address. */
  walk(end: number): void {
    const { words, doubles, strings } = this.engine;
    const { names } = this.tables;
    const last = end / 4;
    for (let at = this.engine.tape / 4; at < last; at += WORDS_PER_ENTRY) {
      const head = words[at];
      let value: unknown;
      switch (head & 0xff) {
        case Op.Null:
          value = null;
          break;
        case Op.False:
          value = false;
          break;
        case Op.True:
          value = true;
          break;
        case Op.Number:
          value = doubles[(at >> 1) + 1];
          break;
        case Op.NumberText:
          value = Number(this.engine.bytes.latin1Slice(words[at + 1], words[at + 1] + words[at + 2]));
          break;
        case Op.Length:
          value = { length: doubles[(at >> 1) + 1] };
          break;
        case Op.CachedString:
          value = strings[words[at + 1]];
          break;
        case Op.StringToCache:
          value = this.engine.bytes.latin1Slice(words[at + 1], words[at + 1] + words[at + 2]);
          strings[words[at + 3]] = value as string;
          break;
        case Op.String:
          value = this.takeText(at);
          break;
        case Op.FoldedString: {
          this.fold(at);
          value = this.foldOf(at).done(this.foldState);
          this.folding = false;
          break;
        }
        case Op.Piece:
          this.pieces += this.decode(at);
          continue;
        case Op.FoldedPiece:
          this.fold(at);
          continue;
        case Op.Key:
          this.key = this.takeText(at);
          continue;
        case Op.Cut:
          this.cut++;
          continue;
        case Op.OpenObject:
          this.open(Into.Object, {}, '', head >>> 8);
          continue;
        case Op.OpenArray: {
          const { stream } = this.tables.nodes[words[at + 1]];
          this.open(stream === undefined ? Into.Array : Into.Stream, [], stream ?? '', head >>> 8);
          continue;
        }
        case Op.Close:
          this.close();
          continue;
        default:
          at = this.walkRare(at);
          continue;
      }
      const field = head >>> 8;
      if (field !== 0) (this.container as Members)[names[field]] = value;
      else this.put(value);
    }
  }

  private walkRare(at: number): number {
    const { words, doubles } = this.engine;
    const number = at >> 1;
    switch (words[at] & 0xff) {
      case Op.CheckKey:
        this.checkKey(words[at] >>> 8, words[at + 1], number + 2);
        return at + WORDS_PER_ENTRY;
      case Op.Record:
        this.endRecord(words[at + 1], doubles[number + 1], number + 2);
        return at + WORDS_PER_ENTRY;
      case Op.Bad: {
        const message = describeProblem(words[at + 2] & 0xff, words[at + 2] >>> 8, doubles[number + 4]);
        if (!this.stopped) this.sink.bad(this.problem ?? message, this.place(words[at + 1], number + 2));
        this.reset();
        return at + 2 * WORDS_PER_ENTRY;
      }
      case Op.Tail:
        if (!this.stopped) this.sink.tail(doubles[number + 1], this.place(words[at + 1], number + 2));
        this.reset();
        return at + WORDS_PER_ENTRY;
      default:
        this.sink.blank(1);
        return at;
    }
  }

  private place(index: number, number: number): RecordPlace {
    const { doubles } = this.engine;
    return { line: doubles[number], offset: doubles[number + 1], index: this.framing === 'elements' ? index : null };
  }

  private endRecord(index: number, unendedBytes: number, number: number): void {
    const { value, cut, problem } = this;
    this.cut = 0;
    this.value = undefined;
    if (this.stopped) return;
    const place = this.place(index, number);
    if (problem === null) this.sink.record(value, place, cut);
    else {
      this.problem = null;
      if (unendedBytes) this.sink.tail(unendedBytes, place);
      else this.sink.bad(problem, place);
    }
  }

  private reset(): void {
    this.depth = 0;
    this.into = Into.Nothing;
    this.handed = null;
    this.value = undefined;
    this.cut = 0;
    this.pieces = '';
    this.folding = false;
    this.foldState = undefined;
    this.problem = null;
  }

  // ── containers ──

  private open(into: Into, container: Members | unknown[], stream: string, field: number): void {
    let frame = this.frames[this.depth];
    if (frame === undefined) {
      frame = { into: Into.Nothing, container, stream: '', key: '', handed: null, itemsBefore: 0 };
      this.frames.push(frame);
    }
    this.depth++;
    frame.into = this.into;
    frame.container = this.container;
    frame.stream = this.stream;
    frame.key = field === 0 ? this.key : this.tables.names[field];
    frame.handed = this.handed;
    frame.itemsBefore = this.items;
    this.into = into;
    this.container = container;
    this.stream = stream;
    this.handed = null;
  }

  private close(): void {
    const { container } = this;
    const frame = this.frames[--this.depth];
    this.into = frame.into;
    this.container = frame.container;
    this.stream = frame.stream;
    this.handed = frame.handed;
    this.key = frame.key;
    if (this.into === Into.Object && this.items > frame.itemsBefore) {
      this.handed ??= new Set();
      this.handed.add(this.key);
    }
    this.put(container);
  }

  /** Puts a value where it belongs, if it is not a declared field. */
  private put(value: unknown): void {
    switch (this.into) {
      case Into.Object:
        setMember(this.container as Members, this.key, value);
        break;
      case Into.Array:
        (this.container as unknown[]).push(value);
        break;
      case Into.Stream:
        this.items++;
        if (this.problem === null) this.sink.item(this.stream, value);
        break;
      default:
        this.value = value;
    }
  }

  /** Items that have been handed over cannot be taken back for a later value of the same key. */
  private checkKey(field: number, index: number, number: number): void {
    const key = field === 0 ? this.key : this.tables.names[field];
    if (!this.handed?.has(key) || this.problem !== null) return;
    this.problem = `not valid JSON: the key ${JSON.stringify(key)} stands twice in one object`;
    if (this.framing === 'lines') return;
    this.stopped = true;
    this.sink.bad(this.problem, this.place(index, number));
  }

  // ── strings ──

  private takeText(at: number): string {
    const text = this.decode(at);
    if (this.pieces === '') return text;
    const whole = this.pieces + text;
    this.pieces = '';
    return whole;
  }

  private decode(at: number): string {
    const { words, bytes } = this.engine;
    const start = words[at + 1];
    const end = start + words[at + 2];
    switch (words[at + 3] & 3) {
      case Encoding.Ascii:
        return bytes.latin1Slice(start, end);
      case Encoding.Utf8:
        return bytes.utf8Slice(start, end);
      default:
        return decodeLoneSurrogates(bytes, start, end);
    }
  }

  private foldOf(at: number): TextFold {
    return this.tables.nodes[this.engine.words[at + 3] >>> 2].text as NonNullable<Shape['text']>;
  }

  private fold(at: number): void {
    const fold = this.foldOf(at);
    if (!this.folding) {
      this.folding = true;
      this.foldState = fold.init();
    }
    const text = this.decode(at);
    if (text !== '') this.foldState = fold.step(this.foldState, text);
  }
}

/** UTF-8 in which surrogates may stand alone. */
function decodeLoneSurrogates(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; ) {
    const byte = bytes[at];
    if (byte < 0x80) {
      text += String.fromCharCode(byte);
      at++;
    } else if (byte < 0xe0) {
      text += String.fromCharCode(((byte & 0x1f) << 6) | (bytes[at + 1] & 0x3f));
      at += 2;
    } else if (byte < 0xf0) {
      text += String.fromCharCode(((byte & 0x0f) << 12) | ((bytes[at + 1] & 0x3f) << 6) | (bytes[at + 2] & 0x3f));
      at += 3;
    } else {
      text += String.fromCodePoint(
        ((byte & 0x07) << 18) | ((bytes[at + 1] & 0x3f) << 12) | ((bytes[at + 2] & 0x3f) << 6) | (bytes[at + 3] & 0x3f),
      );
      at += 4;
    }
  }
  return text;
}
