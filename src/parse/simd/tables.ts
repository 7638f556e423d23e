import type { Shape } from '../shape.ts';
import {
  DATA_CACHE_READ_TOKENS,
  DATA_CACHE_WRITE_TOKENS,
  DATA_INPUT_TOKENS,
  DATA_MODEL,
  DATA_NAME,
  DATA_OUTPUT_TOKENS,
  DATA_SUCCESS,
  DATA_TOOL_CALL_ID,
  DATA_TOOL_NAME,
  DATA_TURN_ID,
  DATA_TYPE,
  EVENT_DATA,
  EVENT_TIMESTAMP,
  EVENT_TYPE,
  FIELD_ID,
  FIELD_KEY_ADDRESS,
  FIELD_KEY_LENGTH,
  FIELD_NEXT,
  FIELD_NODE,
  FIELD_WORDS,
  NODE_BUCKET_MASK,
  NODE_BUCKETS,
  NODE_ENTRIES,
  NODE_ITEMS,
  NODE_STREAMED,
  NODE_TEXT,
  NODE_WORDS,
  STREAMED_DIGESTS,
  STREAMED_ITEMS,
  TEXT_FOLD,
  TEXT_KEEP,
  TEXT_MEASURE,
  TEXT_TIME,
} from './codes.ts';
import type { Engine } from './engine.ts';

/** The numbers of the fields of a digested event, and of its data. */
const EVENT_FIELDS: Readonly<Record<string, number>> = {
  type: EVENT_TYPE,
  timestamp: EVENT_TIMESTAMP,
  data: EVENT_DATA,
};
const DATA_FIELDS: Readonly<Record<string, number>> = {
  toolName: DATA_TOOL_NAME,
  toolCallId: DATA_TOOL_CALL_ID,
  success: DATA_SUCCESS,
  inputTokens: DATA_INPUT_TOKENS,
  outputTokens: DATA_OUTPUT_TOKENS,
  cacheReadTokens: DATA_CACHE_READ_TOKENS,
  cacheWriteTokens: DATA_CACHE_WRITE_TOKENS,
  model: DATA_MODEL,
  turnId: DATA_TURN_ID,
  name: DATA_NAME,
  type: DATA_TYPE,
};

/** A shape as the scanner follows it: flat tables of numbered nodes, and what their numbers mean. */
export interface Tables {
  image: Uint8Array;
  root: number;
  /** The outer array of `elements`. */
  records: number;
  /** By field number. */
  names: string[];
  /** By field number, once it has come. */
  setters: (Setter | null)[];
  /** By node number. */
  nodes: Shape[];
}

export type Setter = (target: Record<string, unknown>, value: unknown) => void;

const BYTES_PER_WORD = 4;
/** Keys are compared sixteen bytes at a time. */
const KEY_SLACK = 16;

const compiled = new WeakMap<Shape, Tables>();

export function compileShape(shape: Shape, engine: Engine): Tables {
  let tables = compiled.get(shape);
  if (!tables) {
    tables = new Compiler(shape).compile(engine);
    compiled.set(shape, tables);
  }
  return tables;
}

class Compiler {
  // Node 0 is unwanted; node 1 is the outer array of `elements`.
  private readonly nodes: Shape[];
  private readonly numbers = new Map<Shape, number>();
  private readonly names: string[] = [''];
  /** The fields of digested events, whose numbers are fixed. */
  private readonly fixed = new Map<Shape, Readonly<Record<string, number>>>();

  constructor(private readonly root: Shape) {
    this.nodes = [{}, { items: root }];
    this.collect(root);
    for (const { digest, items } of this.nodes)
      if (digest && items?.fields?.data) {
        this.fix(items, EVENT_FIELDS);
        this.fix(items.fields.data, DATA_FIELDS);
      }
  }

  private fix(shape: Shape, numbers: Readonly<Record<string, number>>): void {
    this.fixed.set(shape, numbers);
    for (const [name, number] of Object.entries(numbers)) this.names[number] = name;
  }

  private collect(root: Shape): void {
    const pending = [root];
    for (let shape = pending.pop(); shape; shape = pending.pop()) {
      if (this.numbers.has(shape)) continue;
      this.numbers.set(shape, this.nodes.length);
      this.nodes.push(shape);
      pending.push(...fieldsOf(shape).map(([, field]) => field));
      if (shape.entries) pending.push(shape.entries);
      if (shape.items) pending.push(shape.items);
    }
  }

  compile(engine: Engine): Tables {
    const fields = this.nodes.map((shape) =>
      fieldsOf(shape).map(([name, field]) => ({ name, key: keyBytes(name), field })),
    );
    let size = this.nodes.length * NODE_WORDS;
    for (const list of fields) {
      size += bucketCount(list.length);
      for (const { key } of list) size += FIELD_WORDS + wordsFor(key.length);
    }
    const { scanner } = engine;
    const start = scanner.tablesAddress(size * BYTES_PER_WORD);
    engine.view();
    const { words, bytes } = engine;
    const end = start + size * BYTES_PER_WORD;
    bytes.fill(0, start, end);

    let free = start + this.nodes.length * NODE_WORDS * BYTES_PER_WORD;
    const reserve = (count: number): number => {
      const address = free;
      free += count * BYTES_PER_WORD;
      return address;
    };
    for (const [number, shape] of this.nodes.entries()) {
      if (number === 0) continue;
      const node = start / BYTES_PER_WORD + number * NODE_WORDS;
      words[node + NODE_ENTRIES] = this.numberOf(shape.entries);
      words[node + NODE_ITEMS] = this.numberOf(shape.items);
      words[node + NODE_TEXT] = textCode(shape);
      words[node + NODE_STREAMED] = streamCode(shape);
      if (fields[number].length === 0) continue;
      const buckets = reserve(bucketCount(fields[number].length));
      const mask = bucketCount(fields[number].length) - 1;
      words[node + NODE_BUCKETS] = buckets;
      words[node + NODE_BUCKET_MASK] = mask;
      for (const { name, key, field } of fields[number]) {
        const address = reserve(FIELD_WORDS);
        const keyAddress = reserve(wordsFor(key.length));
        bytes.set(key, keyAddress);
        const bucket = buckets / BYTES_PER_WORD + (scanner.hashOf(keyAddress, key.length) & mask);
        const entry = address / BYTES_PER_WORD;
        words[entry + FIELD_KEY_ADDRESS] = keyAddress;
        words[entry + FIELD_KEY_LENGTH] = key.length;
        words[entry + FIELD_NODE] = this.numberOf(field);
        words[entry + FIELD_ID] = this.fixed.get(shape)?.[name] ?? this.fieldId(name);
        words[entry + FIELD_NEXT] = words[bucket];
        words[bucket] = address;
      }
    }
    return {
      image: Uint8Array.prototype.slice.call(bytes, start, end),
      root: this.numberOf(this.root),
      records: 1,
      names: this.names,
      setters: this.names.map(() => null),
      nodes: this.nodes,
    };
  }

  private numberOf(shape: Shape | undefined): number {
    return shape ? (this.numbers.get(shape) as number) : 0;
  }

  private fieldId(name: string): number {
    // It cannot be set like other members, so its name goes over the tape.
    if (name === '__proto__') return 0;
    // One for each object that has it, and not for each name: objects of one kind grow in few ways.
    return this.names.push(name) - 1;
  }
}

/**
 * Sets one member. Compiled for its name where that is allowed: V8 then remembers for each of them how objects grow, and
 * needs a third of the time of `target[name] = value` with a name that changes.
 */
export function setterOf(name: string): Setter {
  try {
    return new Function('target', 'value', `target[${JSON.stringify(name)}] = value;`) as Setter;
  } catch {
    return (target, value) => {
      target[name] = value;
    };
  }
}

function textCode(shape: Shape): number {
  if (shape.text) return TEXT_FOLD;
  if (shape.length) return TEXT_MEASURE;
  return shape.time ? TEXT_TIME : TEXT_KEEP;
}

function streamCode(shape: Shape): number {
  if (shape.stream === undefined) return 0;
  return shape.digest ? STREAMED_DIGESTS : STREAMED_ITEMS;
}

function fieldsOf(shape: Shape): [string, Shape][] {
  return Object.entries(shape.fields ?? {}).filter(([, field]) => field !== undefined);
}

/** A power of two with room to spare, so that most buckets hold at most one field. */
function bucketCount(fields: number): number {
  return fields === 0 ? 0 : 2 ** Math.ceil(Math.log2(fields * 4));
}

/** In words, with slack. */
function wordsFor(bytes: number): number {
  return Math.ceil((bytes + KEY_SLACK) / BYTES_PER_WORD);
}

/** UTF-8, with lone surrogates encoded like other characters, as the scanner does. */
function keyBytes(name: string): Uint8Array {
  if (name.isWellFormed()) return Buffer.from(name);
  const bytes: number[] = [];
  for (const character of name) {
    const unit = character.charCodeAt(0);
    if (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff)
      bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    else bytes.push(...Buffer.from(character));
  }
  return Uint8Array.from(bytes);
}
