import type { Room } from '../../model/room.ts';
import type { MakeParser, Parser, ParserOptions, Sink } from '../parser.ts';
import { FRAMING_DOCUMENTS, FRAMING_ELEMENTS, FRAMING_LINES, OUTCOME_TAPE_FULL } from './codes.ts';
import { borrowEngine, type Engine, returnEngine } from './engine.ts';
import wasm from './scan.wasm.ts';
import { Walker } from './walker.ts';

/** The fast parser: a scanner in WebAssembly SIMD, and a walker that builds what the scanner found to be wanted. */
export const simdParser: MakeParser = (options, sink) => new SimdParser(options, sink);

let compiled: WebAssembly.Module | undefined;

function module(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(wasm);
  return compiled;
}

/** Whether this machine can run it. */
export function simdAvailable(): boolean {
  try {
    module();
    return true;
  } catch {
    return false;
  }
}

/** A part of the scanner's memory. When that grows, which it does where it lies, only the views of it are made anew. */
class EngineRoom implements Room {
  constructor(
    private readonly engine: Engine,
    private readonly address: number,
  ) {}

  get bytes(): Uint8Array {
    return this.engine.bytes.subarray(this.address, this.address + this.engine.inputSize);
  }
}

const FRAMINGS = { lines: FRAMING_LINES, elements: FRAMING_ELEMENTS, documents: FRAMING_DOCUMENTS };
const LARGEST_TEXT = 2 ** 31 - 1;

class SimdParser implements Parser {
  private readonly engine: Engine;
  private readonly walker: Walker;
  private lastRoom = 0;
  private ended = false;

  constructor({ framing, shape, maxValueBytes, firstLine, firstOffset }: ParserOptions, sink: Sink) {
    this.engine = borrowEngine(module);
    const tables = this.engine.follow(shape);
    this.walker = new Walker(this.engine, tables, sink, framing);
    this.engine.scanner.begin(
      FRAMINGS[framing],
      tables.root,
      tables.records,
      Math.min(maxValueBytes, LARGEST_TEXT),
      firstLine ?? 1,
      firstOffset ?? 0,
    );
  }

  room(): Room {
    const { rooms } = this.engine;
    this.lastRoom = (this.lastRoom + 1) % rooms.length;
    return new EngineRoom(this.engine, rooms[this.lastRoom]);
  }

  write(chunk: Uint8Array): void {
    const { engine } = this;
    const { rooms, copies, inputSize } = engine;
    // Whoever read into our room has saved us the copying.
    if (chunk.buffer === engine.bytes.buffer && rooms.includes(chunk.byteOffset)) {
      this.scan(chunk.byteOffset, chunk.length);
      return;
    }
    for (let from = 0; from < chunk.length; from += inputSize) {
      const part = chunk.subarray(from, from + inputSize);
      engine.bytes.set(part, copies);
      this.scan(copies, part.length);
    }
  }

  private scan(address: number, length: number): void {
    const { engine, walker } = this;
    const { scanner } = engine;
    scanner.feed(address, length);
    let outcome: number;
    do {
      outcome = scanner.run(length);
      engine.view();
      walker.walk(scanner.tapeEnd());
    } while (outcome === OUTCOME_TAPE_FULL);
    scanner.advance(length);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.engine.scanner.finish();
    this.engine.view();
    this.walker.walk(this.engine.scanner.tapeEnd());
    returnEngine(this.engine);
  }
}
