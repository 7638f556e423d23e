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

const FRAMINGS = { lines: FRAMING_LINES, elements: FRAMING_ELEMENTS, documents: FRAMING_DOCUMENTS };
const LARGEST_TEXT = 2 ** 31 - 1;

class SimdParser implements Parser {
  private readonly engine: Engine;
  private readonly walker: Walker;
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

  room(): Uint8Array {
    const { engine } = this;
    return engine.bytes.subarray(engine.input, engine.input + engine.inputSize);
  }

  write(chunk: Uint8Array): void {
    const { engine, walker } = this;
    const { scanner, inputSize } = engine;
    for (let from = 0; from < chunk.length; from += inputSize) {
      const part = chunk.length - from > inputSize ? chunk.subarray(from, from + inputSize) : chunk.subarray(from);
      // Whoever read into our room has saved us the copying.
      const inPlace = part.byteOffset === engine.input && part.buffer === engine.bytes.buffer;
      if (!inPlace) engine.bytes.set(part, engine.input);
      scanner.feed(part.length);
      let outcome: number;
      do {
        outcome = scanner.run(part.length);
        engine.view();
        walker.walk(scanner.tapeEnd());
      } while (outcome === OUTCOME_TAPE_FULL);
      scanner.advance(part.length);
    }
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
