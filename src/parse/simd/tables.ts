import type { Shape } from '../shape.ts';
import { Field, Node, Text } from './codes.ts';
import type { Engine } from './engine.ts';

/** A shape as the scanner follows it: flat tables of numbered nodes, and what their numbers mean. */
export interface Tables {
  image: Uint8Array;
  root: number;
  /** The outer array of `elements`. */
  records: number;
  /** By field number. */
  names: string[];
  /** By node number. */
  nodes: Shape[];
}

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
  private readonly names = [''];
  private readonly fieldIds = new Map<string, number>();

  constructor(private readonly root: Shape) {
    this.nodes = [{}, { items: root }];
    this.collect(root);
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
    const fields = this.nodes.map((shape) => fieldsOf(shape).map(([name, field]) => ({ name, key: keyBytes(name), field })));
    let size = this.nodes.length * Node.Words;
    for (const list of fields) {
      size += bucketCount(list.length);
      for (const { key } of list) size += Field.Words + wordsFor(key.length);
    }
    const { scanner } = engine;
    const start = scanner.tablesAddress(size * BYTES_PER_WORD);
    engine.view();
    const { words, bytes } = engine;
    const end = start + size * BYTES_PER_WORD;
    bytes.fill(0, start, end);

    let free = start + this.nodes.length * Node.Words * BYTES_PER_WORD;
    const reserve = (count: number): number => {
      const address = free;
      free += count * BYTES_PER_WORD;
      return address;
    };
    for (const [number, shape] of this.nodes.entries()) {
      if (number === 0) continue;
      const node = start / BYTES_PER_WORD + number * Node.Words;
      words[node + Node.Entries] = this.numberOf(shape.entries);
      words[node + Node.Items] = this.numberOf(shape.items);
      words[node + Node.Text] = shape.text ? Text.Fold : shape.length ? Text.Measure : Text.Keep;
      words[node + Node.Streamed] = shape.stream === undefined ? 0 : 1;
      if (fields[number].length === 0) continue;
      const buckets = reserve(bucketCount(fields[number].length));
      const mask = bucketCount(fields[number].length) - 1;
      words[node + Node.Buckets] = buckets;
      words[node + Node.BucketMask] = mask;
      for (const { name, key, field } of fields[number]) {
        const address = reserve(Field.Words);
        const keyAddress = reserve(wordsFor(key.length));
        bytes.set(key, keyAddress);
        const bucket = buckets / BYTES_PER_WORD + (scanner.hashOf(keyAddress, key.length) & mask);
        const entry = address / BYTES_PER_WORD;
        words[entry + Field.KeyAddress] = keyAddress;
        words[entry + Field.KeyLength] = key.length;
        words[entry + Field.Node] = this.numberOf(field);
        words[entry + Field.Id] = this.fieldId(name);
        words[entry + Field.Next] = words[bucket];
        words[bucket] = address;
      }
    }
    return {
      image: Uint8Array.prototype.slice.call(bytes, start, end),
      root: this.numberOf(this.root),
      records: 1,
      names: this.names,
      nodes: this.nodes,
    };
  }

  private numberOf(shape: Shape | undefined): number {
    return shape ? (this.numbers.get(shape) as number) : 0;
  }

  private fieldId(name: string): number {
    // It cannot be set like other members, so its name goes over the tape.
    if (name === '__proto__') return 0;
    let id = this.fieldIds.get(name);
    if (id === undefined) {
      id = this.names.length;
      this.fieldIds.set(name, id);
      this.names.push(name);
    }
    return id;
  }
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
  if (!/\p{Surrogate}/u.test(name)) return Buffer.from(name);
  const bytes: number[] = [];
  for (const character of name) {
    const unit = character.charCodeAt(0);
    if (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff)
      bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    else bytes.push(...Buffer.from(character));
  }
  return Uint8Array.from(bytes);
}
