import type { Room } from '../../model/room.ts';
import type { Shape } from '../shape.ts';
import { CACHE_SLOTS } from './codes.ts';
import type { ItemForm } from './items.ts';
import { compileShape, type Tables } from './tables.ts';

/** What the scanner exports; see assembly/grammar.ts. */
export interface Scanner {
  memory: WebAssembly.Memory;
  inputAddress(index: number): number;
  inputSize(): number;
  namesAddress(): number;
  namesKnown(): number;
  packAddress(): number;
  textsOnTape(): number;
  packTape(base: number): number;
  tapeAddress(): number;
  tapeEnd(): number;
  tablesAddress(size: number): number;
  hashOf(key: number, length: number): number;
  begin(
    framing: number,
    root: number,
    records: number,
    maxValueBytes: number,
    firstLine: number,
    firstOffset: number,
  ): void;
  feed(address: number, length: number): void;
  run(length: number): number;
  advance(length: number): void;
  finish(): void;
}

/** The undocumented methods spare the arguments' checks, which cost more than a short string. */
export interface Slicer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** What a walker reads: a tape, and what it speaks of. */
export interface Scanned {
  readonly tape: number;
  readonly names: number;
  readonly bytes: Slicer;
  readonly words: Uint32Array;
  readonly doubles: Float64Array;
  /** Values by slot: the strings of the scanner's cache, then the literals. */
  readonly known: unknown[];
  /** How items are built, by the number of their form. */
  readonly forms: (ItemForm | null)[];
}

export const knownValues = (): unknown[] => new Array(CACHE_SLOTS).fill('').concat([null, false, true]);

/** An instance of the scanner, with views of its memory and the values that it knows by number. */
export class Engine implements Scanned {
  readonly scanner: Scanner;
  readonly known = knownValues();
  /** Addresses: some to read files into, in turn, and one to copy to. */
  readonly rooms: readonly number[];
  readonly copies: number;
  readonly inputSize: number;
  readonly tape: number;
  readonly names: number;
  bytes!: Slicer;
  words!: Uint32Array;
  doubles!: Float64Array;
  readonly forms: (ItemForm | null)[] = [];
  private shape: Shape | null = null;

  constructor(module: WebAssembly.Module) {
    this.scanner = new WebAssembly.Instance(module, {}).exports as unknown as Scanner;
    this.rooms = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => this.scanner.inputAddress(index));
    this.copies = this.scanner.inputAddress(8);
    this.inputSize = this.scanner.inputSize();
    this.tape = this.scanner.tapeAddress();
    this.names = this.scanner.namesAddress();
    this.view();
  }

  /** To be called when memory may have grown: that takes all views away. */
  view(): void {
    const { buffer } = this.scanner.memory;
    if (this.bytes?.buffer === buffer) return;
    this.bytes = Buffer.from(buffer) as Slicer;
    this.words = new Uint32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  /** Puts the tables of a shape in place. */
  follow(shape: Shape): Tables {
    const tables = compileShape(shape, this);
    if (this.shape !== shape) {
      this.shape = shape;
      this.forms.length = 0;
      const address = this.scanner.tablesAddress(tables.image.length);
      this.view();
      this.bytes.set(tables.image, address);
    }
    return tables;
  }
}

/** A part of the scanner's memory. When that grows, which it does where it lies, only the views of it are made anew. */
export class EngineRoom implements Room {
  constructor(
    private readonly engine: Engine,
    private readonly address: number,
  ) {}

  get bytes(): Uint8Array {
    return this.engine.bytes.subarray(this.address, this.address + this.engine.inputSize);
  }
}

// A new instance costs as much as reading a small file, so engines are used again.
const MOST_IDLE = 4;
const LARGEST_IDLE_BYTES = 16 << 20;
const idle: Engine[] = [];

export function borrowEngine(module: () => WebAssembly.Module): Engine {
  return idle.pop() ?? new Engine(module());
}

export function returnEngine(engine: Engine): void {
  if (idle.length < MOST_IDLE && engine.bytes.length <= LARGEST_IDLE_BYTES) idle.push(engine);
}
