import type { ParserOptions, Sink } from '../parser.ts';
import { borrowEngine, returnEngine } from './engine.ts';
import { LARGEST_TEXT } from './framings.ts';
import { scannerModule } from './module.ts';
import { makeRing, RingReader, type ScanJob } from './ring.ts';
import type { Tables } from './tables.ts';
import { Walker } from './walker.ts';

/** The parsing of a file that another thread scans: the job for that thread, and what to do with what it finds. */
export class ScanAhead {
  readonly job: ScanJob;
  private readonly tables: Tables;
  private readonly reader: RingReader;

  constructor(
    path: string,
    from: number,
    readonly options: ParserOptions,
  ) {
    const { framing, shape, maxValueBytes } = options;
    const engine = borrowEngine(scannerModule);
    this.tables = engine.follow(shape);
    returnEngine(engine);
    const ring = makeRing();
    this.reader = new RingReader(ring);
    const { image, root, records } = this.tables;
    const most = Math.min(maxValueBytes, LARGEST_TEXT);
    this.job = { ring, path, from, framing, maxValueBytes: most, image, root, records };
  }

  /**
   * Calls the sink, and tells now and then how many more bytes were read. `check` is called when nothing comes, and
   * throws if nothing will.
   */
  async *parse(sink: Sink, check: () => Promise<void>): AsyncGenerator<number> {
    const { reader } = this;
    const walker = new Walker(reader, this.tables, sink, this.options.framing);
    try {
      for (let isLast = false; !isLast; ) {
        if (!reader.take()) {
          await check();
          continue;
        }
        walker.walk(reader.tapeEnd);
        ({ isLast } = reader);
        reader.done();
        yield reader.bytesRead;
      }
      if (reader.failure !== null) throw new Error(reader.failure);
    } finally {
      reader.stop();
    }
  }
}
