import { epochMs } from '../../stats/epoch-ms.ts';
import type { Framing, RecordPlace, Sink } from '../parser.ts';
import { setMember, type TextFold } from '../shape.ts';
import {
  ENCODING_ASCII,
  ENCODING_UTF8,
  INTO_ARRAY,
  INTO_NOTHING,
  INTO_OBJECT,
  INTO_STREAM,
  OP_ANSWER,
  OP_BAD,
  OP_BLANK,
  OP_CHECK_KEY,
  OP_CLOSE,
  OP_CUT,
  OP_FOLDED_PIECE,
  OP_FOLDED_STRING,
  OP_KEY,
  OP_KNOWN,
  OP_LENGTH,
  OP_NEW_STRING,
  OP_NUMBER,
  OP_NUMBER_TEXT,
  OP_OPEN_ARRAY,
  OP_OPEN_OBJECT,
  OP_PIECE,
  OP_RECORD,
  OP_STRING,
  OP_TAIL,
  OP_TIME_TEXT,
  SLOT_NONE,
} from './codes.ts';
import { DigestReader } from './digests.ts';
import type { Scanned } from './engine.ts';
import { itemForm } from './items.ts';
import { describeProblem } from './problems.ts';
import { setterOf, type Tables } from './tables.ts';

type Members = Record<string, unknown>;
type Container = Members | unknown[];

const WORDS_PER_ENTRY = 4;

/** What `walkOther` returns when the entry was no value. */
const NO_VALUE = Symbol('no value');

/** Follows the tape: builds the values that it spells, and calls the sink. */
export class Walker {
  /** The current container, the ones around it, and the names that those have for the ones within. */
  private container: Container = [];
  private into = INTO_NOTHING;
  private stream = '';
  private readonly containers: Container[] = [];
  private readonly keys: string[] = [];
  private depth = 0;

  /** The name of the next value, where it is not a declared field. */
  private key = '';
  private value: unknown = undefined;
  private cut = 0;
  /** Of the open objects that have handed over items: how deep they are, and by which keys they did. */
  private readonly handed: { depth: number; keys: string[] }[] = [];

  /** Parts of a string or key whose end is still to come. */
  private pieces = '';
  private foldState: unknown = undefined;
  private folding = false;

  /** Why the record is bad though it is JSON; nothing of it is handed over any more. */
  private problem: string | null = null;
  private stopped = false;

  private readonly digests: DigestReader;

  constructor(
    private readonly engine: Scanned,
    private readonly tables: Tables,
    private readonly sink: Sink,
    private readonly framing: Framing,
  ) {
    this.digests = new DigestReader(engine);
  }

  /** Walks the tape up to this address. */
  walk(end: number): void {
    const { words, doubles, known, forms } = this.engine;
    const { setters, names } = this.tables;
    const { containers } = this;
    // In locals, since storing into an old object costs the garbage collector.
    let { container } = this;
    const last = end / 4;
    for (let at = this.engine.tape / 4; at < last; at += WORDS_PER_ENTRY) {
      const head = words[at];
      const op = head & 0xff;
      const field = head >>> 8;
      let value: unknown;
      // Most frequent first.
      if (op === OP_KNOWN) value = known[words[at + 1]];
      else if (op === OP_NUMBER) value = doubles[(at >> 1) + 1];
      else if (op === OP_OPEN_OBJECT || op === OP_OPEN_ARRAY) {
        const number = words[at + 3];
        if (number !== 0) {
          if (forms[number] === undefined) forms[number] = itemForm(words, at, names);
          const form = forms[number];
          if (form) {
            this.put(container, form.build(words, doubles, known, this.readOther, at));
            at += form.words;
            continue;
          }
        }
        containers[this.depth] = container;
        this.open(at, field);
        container = op === OP_OPEN_OBJECT ? {} : [];
        continue;
      } else if (op === OP_CLOSE) {
        value = container;
        this.close(at);
        container = containers[this.depth];
      } else if (op >= OP_ANSWER) {
        at = this.readDigest(at, last);
        continue;
      } else {
        value = this.walkOther(at, op, field);
        if (value === NO_VALUE) {
          if (op >= OP_CHECK_KEY) at += (op === OP_BLANK ? 0 : op === OP_BAD ? 2 : 1) * WORDS_PER_ENTRY;
          continue;
        }
      }
      if (field !== 0) {
        setters[field] ??= setterOf(names[field]);
        setters[field](container as Members, value);
      } else this.put(container, value);
    }
    this.container = container;
  }

  /** A value that is neither known nor a number. */
  private readonly readOther = (at: number): unknown => {
    const head = this.engine.words[at];
    return this.walkOther(at, head & 0xff, head >>> 8);
  };

  private walkOther(at: number, op: number, field: number): unknown {
    const { words, doubles, bytes, known } = this.engine;
    const number = at >> 1;
    switch (op) {
      case OP_NEW_STRING: {
        const text = bytes.latin1Slice(words[at + 1], words[at + 1] + words[at + 2]);
        if (words[at + 3] !== SLOT_NONE) known[words[at + 3]] = text;
        return text;
      }
      case OP_STRING:
        return this.takeText(at);
      case OP_TIME_TEXT:
        return epochMs(this.takeText(at));
      case OP_LENGTH:
        return { length: doubles[number + 1] };
      case OP_NUMBER_TEXT:
        return Number(bytes.latin1Slice(words[at + 1], words[at + 1] + words[at + 2]));
      case OP_FOLDED_STRING: {
        this.fold(at);
        this.folding = false;
        return this.foldOf(at).done(this.foldState);
      }
      case OP_KEY:
        this.key = this.takeText(at);
        break;
      case OP_PIECE:
        this.pieces += this.decode(at);
        break;
      case OP_FOLDED_PIECE:
        this.fold(at);
        break;
      case OP_CUT:
        this.cut++;
        break;
      case OP_CHECK_KEY:
        this.checkKey(field === 0 ? this.key : this.tables.names[field], words[at + 1], number + 2);
        break;
      case OP_RECORD:
        this.endRecord(words[at + 1], doubles[number + 1], number + 2);
        break;
      case OP_BAD: {
        const message = describeProblem(words[at + 2] & 0xff, words[at + 2] >>> 8, doubles[number + 4]);
        if (!this.stopped) this.sink.bad(this.problem ?? message, this.place(words[at + 1], number + 2));
        this.reset();
        break;
      }
      case OP_TAIL:
        if (!this.stopped) this.sink.tail(doubles[number + 1], this.place(words[at + 1], number + 2));
        this.reset();
        break;
      default:
        this.sink.blank(1);
    }
    return NO_VALUE;
  }

  // ── records ──

  private place(index: number, number: number): RecordPlace {
    const { doubles } = this.engine;
    return { line: doubles[number], offset: doubles[number + 1], index: this.framing === 'elements' ? index : null };
  }

  private endRecord(index: number, unendedBytes: number, number: number): void {
    const { value, cut, problem } = this;
    this.reset();
    if (this.stopped) return;
    const place = this.place(index, number);
    if (problem === null) this.sink.record(value, place, cut);
    else if (unendedBytes) this.sink.tail(unendedBytes, place);
    else this.sink.bad(problem, place);
  }

  private reset(): void {
    this.depth = 0;
    this.into = INTO_NOTHING;
    while (this.handed.length > 0) this.handed.pop();
    this.value = undefined;
    this.cut = 0;
    this.pieces = '';
    this.folding = false;
    this.foldState = undefined;
    this.digests.forget();
    if (!this.stopped) this.problem = null;
  }

  // ── containers ──

  private open(at: number, field: number): void {
    const { words } = this.engine;
    if (field === 0) this.keys[this.depth] = this.key;
    this.depth++;
    this.enter(words[at + 1], words[at + 2]);
  }

  private close(at: number): void {
    const { words } = this.engine;
    const { handed } = this;
    if (handed.length > 0 && handed[handed.length - 1].depth === this.depth) handed.pop();
    this.depth--;
    this.enter(words[at + 1], words[at + 2]);
    if (this.into !== INTO_OBJECT) return;
    const field = words[at] >>> 8;
    if (field === 0) this.key = this.keys[this.depth];
    if (words[at + 3] !== 0) this.noteHanded(field === 0 ? this.key : this.tables.names[field]);
  }

  private enter(into: number, node: number): void {
    this.into = into;
    if (into === INTO_STREAM) this.stream = this.tables.nodes[node].stream as string;
  }

  /** Puts a value that is not a declared field where it belongs. */
  private put(container: Container, value: unknown): void {
    if (this.into === INTO_STREAM) {
      if (this.problem === null) this.sink.item(this.stream, value);
    } else if (this.into === INTO_ARRAY) (container as unknown[]).push(value);
    else if (this.into === INTO_OBJECT) setMember(container as Members, this.key, value);
    else this.value = value;
  }

  /** Gives the last word that it has read. */
  private readDigest(at: number, end: number): number {
    const next = this.digests.read(at, end);
    const digest = this.digests.take();
    if (digest !== null && this.problem === null) this.sink.digest?.(digest);
    return next - WORDS_PER_ENTRY;
  }

  private noteHanded(key: string): void {
    const last = this.handed.at(-1);
    if (last?.depth === this.depth) last.keys.push(key);
    else this.handed.push({ depth: this.depth, keys: [key] });
  }

  /** Items that have been handed over cannot be taken back for a later value of the same key. */
  private checkKey(key: string, index: number, number: number): void {
    const last = this.handed.at(-1);
    if (this.problem !== null || last?.depth !== this.depth || !last.keys.includes(key)) return;
    this.problem = `not valid JSON: the key ${JSON.stringify(key)} stands twice in one object`;
    if (this.framing === 'lines') return;
    if (!this.stopped) this.sink.bad(this.problem, this.place(index, number));
    this.stopped = true;
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
      case ENCODING_ASCII:
        return bytes.latin1Slice(start, end);
      case ENCODING_UTF8:
        return bytes.utf8Slice(start, end);
      default:
        return decodeLoneSurrogates(bytes, start, end);
    }
  }

  private foldOf(at: number): TextFold {
    return this.tables.nodes[this.engine.words[at + 3] >>> 2].text as TextFold;
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
