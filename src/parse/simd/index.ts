import type { Room } from '../../model/room.ts';
import type { MakeParser, Parser, ParserOptions, Sink } from '../parser.ts';
import { OUTCOME_TAPE_FULL } from './codes.ts';
import { borrowEngine, type Engine, EngineRoom, returnEngine } from './engine.ts';
import { FRAMINGS, LARGEST_TEXT } from './framings.ts';
import { scannerModule } from './module.ts';
import { Walker } from './walker.ts';

export { simdAvailable } from './module.ts';
export { ScanAhead } from './scan-ahead.ts';

/** The fast parser: a scanner in WebAssembly SIMD, and a walker that builds what the scanner found to be wanted. */
export const simdParser: MakeParser = (options, sink) => new SimdParser(options, sink);

class SimdParser implements Parser {
  private readonly engine: Engine;
  private readonly walker: Walker;
  private lastRoom = 0;
  private ended = false;

  constructor({ framing, shape, maxValueBytes, firstLine, firstOffset }: ParserOptions, sink: Sink) {
    this.engine = borrowEngine(scannerModule);
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
