import type { Framing, RecordPlace } from '../../../src/parse/parser.ts';
import type { Shape } from '../../../src/parse/shape.ts';
import { epochMs } from '../../../src/stats/epoch-ms.ts';

/**
 * A third way to the same answer, independent of both parsers: JSON.parse decides whether a text is JSON, and what its
 * strings and numbers mean; then the value is pruned to the shape as a whole.
 */

/** A JSON value with what JSON.parse forgets: the order of members, their duplicates, and where the value ends. */
type Value =
  | { kind: 'scalar'; value: unknown; end: number }
  | { kind: 'array'; items: Value[]; end: number }
  | { kind: 'object'; members: [string, Value][]; end: number };

export type Call =
  | ['item', string, unknown]
  | ['record', unknown, RecordPlace, number]
  | ['bad', RecordPlace]
  | ['blank', number]
  | ['tail', number, RecordPlace];

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}[{"]+/y;

/** Reads a text that JSON.parse has accepted, or a run of such texts. */
class OrderedReader {
  at = 0;
  constructor(private readonly text: string) {}

  get atEnd(): boolean {
    this.skip(SPACE);
    return this.at === this.text.length;
  }

  read(): Value {
    this.skip(SPACE);
    const open = this.text[this.at];
    if (open !== '{' && open !== '[') {
      const value = JSON.parse(this.skip(SCALAR));
      return { kind: 'scalar', value, end: this.at };
    }
    const items: Value[] = [];
    const members: [string, Value][] = [];
    this.at++;
    while (true) {
      this.skip(SPACE);
      const mark = this.text[this.at];
      if (mark === '}' || mark === ']') break;
      if (mark === ',') this.at++;
      else if (open === '[') items.push(this.read());
      else {
        const key = this.read() as { value: string };
        this.skip(SPACE);
        this.at++;
        members.push([key.value, this.read()]);
      }
    }
    this.at++;
    return open === '[' ? { kind: 'array', items, end: this.at } : { kind: 'object', members, end: this.at };
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] as string;
    this.at += found.length;
    return found;
  }
}

class Duplicate extends Error {}

class Pruner {
  cut = 0;
  items = 0;
  constructor(
    private readonly maxBytes: number,
    private readonly calls: Call[],
  ) {}

  prune(value: Value, shape: Shape): unknown {
    if (value.kind === 'array') {
      const kept: unknown[] = [];
      for (const item of shape.items ? value.items : []) {
        const pruned = this.prune(item, shape.items as Shape);
        if (shape.stream === undefined) kept.push(pruned);
        else {
          this.items++;
          this.calls.push(['item', shape.stream, pruned]);
        }
      }
      return kept;
    }
    if (value.kind === 'object') {
      const kept = new Map<string, unknown>();
      const handed = new Set<string>();
      for (const [name, member] of value.members) {
        const key = this.keep(name);
        if (handed.has(key)) throw new Duplicate();
        const own = shape.fields && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
        const wanted = own ?? shape.entries;
        if (!wanted) continue;
        const before = this.items;
        kept.set(key, this.prune(member, wanted));
        if (this.items > before) handed.add(key);
      }
      return Object.fromEntries(kept);
    }
    if (typeof value.value === 'number' && shape.time && !shape.length && !shape.text) return null;
    if (typeof value.value !== 'string') return value.value;
    if (shape.text) {
      // In two pieces, since it must not matter.
      const { init, step, done } = shape.text;
      const half = value.value.length >> 1;
      return done(step(step(init(), value.value.slice(0, half)), value.value.slice(half)));
    }
    if (shape.length) return { length: value.value.length };
    return shape.time ? epochMs(this.keep(value.value)) : this.keep(value.value);
  }

  private keep(text: string): string {
    let kept = '';
    let bytes = 0;
    for (const character of text) {
      bytes += Buffer.byteLength(character);
      if (bytes > this.maxBytes) {
        this.cut++;
        return kept;
      }
      kept += character;
    }
    return kept;
  }
}

const strict = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const withoutBom = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** Whether these bytes are what JSON.parse accepts. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(withoutBom(strict().decode(bytes)));
    return true;
  } catch {
    return false;
  }
}

/** What a parser must say about lines of any bytes. */
export function pruneLines(bytes: Buffer, shape: Shape, maxBytes: number, firstLine = 1, firstOffset = 0): Call[] {
  const calls: Call[] = [];
  let line = firstLine;
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline;
    const place = { line, offset: firstOffset + from, index: null };
    const before = calls.length;
    try {
      const text = withoutBom(strict().decode(bytes.subarray(from, end)));
      if (/^[ \t\r]*$/.test(text)) calls.push(['blank', 1]);
      else {
        JSON.parse(text);
        const pruner = new Pruner(maxBytes, calls);
        const value = pruner.prune(new OrderedReader(text).read(), shape);
        calls.push(['record', value, place, pruner.cut]);
      }
    } catch {
      // Items of a bad record are void.
      calls.length = before;
      calls.push(newline < 0 ? ['tail', end - from, place] : ['bad', place]);
    }
    from = end + 1;
  }
  return calls;
}

/** What a parser must say about documents, or arrays of records, that are all JSON. */
export function pruneDocuments(
  bytes: Buffer,
  framing: Exclude<Framing, 'lines'>,
  shape: Shape,
  maxBytes: number,
  firstLine = 1,
  firstOffset = 0,
): Call[] {
  const calls: Call[] = [];
  const text = withoutBom(strict().decode(bytes));
  const bom = bytes.length - Buffer.byteLength(text);
  const reader = new OrderedReader(text);
  const place = (end: number, index: number | null): RecordPlace => {
    const before = text.slice(0, end);
    const start = before.lastIndexOf('\n') + 1;
    return {
      line: firstLine + before.split('\n').length - 1,
      offset: firstOffset + (start === 0 ? 0 : bom + Buffer.byteLength(before.slice(0, start))),
      index,
    };
  };
  while (!reader.atEnd) {
    const document = reader.read();
    const records = framing === 'elements' ? (document as { items: Value[] }).items : [document];
    for (const [index, record] of records.entries()) {
      const pruner = new Pruner(maxBytes, calls);
      const value = pruner.prune(record, shape);
      calls.push(['record', value, place(record.end, framing === 'elements' ? index : null), pruner.cut]);
    }
  }
  return calls;
}
