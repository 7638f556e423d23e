import { SHARE_ENV, Worker } from 'node:worker_threads';
import { DEFAULT_MAX_VALUE_BYTES } from '../collect/run.ts';
import { lineLayout } from '../formats/detect.ts';
import type { ParserOptions, Sink } from '../parse/parser.ts';
import type { ScanAhead } from '../parse/simd/index.ts';
import { detailOf } from '../pipeline.ts';
import { turn } from '../read/bytes.ts';
import type { Plan } from './plan.ts';
import { WorkerDeath } from './pool.ts';
import type { Work } from './share.ts';

/** A thread that scans what the last of the tasks is about; it begins at once where that is a part of lines. */
export async function startScanThread({ tasks }: Plan, { by, options }: Work): Promise<ScanThread | null> {
  // Before all else, because it takes a while until it runs.
  const thread = new ScanThread();
  try {
    if (!(await thread.load())) {
      await thread.close();
      return null;
    }
    const file = tasks[tasks.length - 1].inputs[0];
    if (file.kind === 'file' && file.range) {
      const { framing, shape } = lineLayout(file.range.format);
      const { maxValueBytes = DEFAULT_MAX_VALUE_BYTES } = options;
      thread.begin(file.path, file.range.start, { framing, shape: shape(detailOf(by, options)), maxValueBytes });
    }
    return thread;
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/** Scans one file, or a part of one, ahead of whoever folds what is in it. */
export class ScanThread {
  private readonly worker = new Worker(new URL('./scan-thread.js', import.meta.url), { env: SHARE_ENV });
  private death: Error | null = null;
  private parsing!: typeof ScanAhead;
  private begun: ScanAhead | null = null;

  constructor() {
    this.worker.on('error', (error) => {
      this.death = error;
    });
    this.worker.on('exit', (code) => {
      this.death ??= new Error(`it ended with code ${code}`);
    });
  }

  /** What this side of it needs; false where it cannot run. */
  async load(): Promise<boolean> {
    const simd = await import('../parse/simd/index.ts');
    this.parsing = simd.ScanAhead;
    return simd.simdAvailable();
  }

  begin(path: string, from: number, options: ParserOptions): ScanAhead {
    const ahead = new this.parsing(path, from, options);
    this.begun = ahead;
    this.worker.postMessage(ahead.job);
    return ahead;
  }

  /** Parses what was begun, or begins: calls the sink, and tells now and then how many more bytes were read. */
  parse(path: string, from: number, options: ParserOptions, sink: Sink): AsyncGenerator<number> {
    const ahead = this.begun ?? this.begin(path, from, options);
    if (ahead.job.path !== path || ahead.job.from !== from || ahead.options.shape !== options.shape)
      throw new Error('the thread scans something else');
    let diedBefore = false;
    return ahead.parse(sink, async () => {
      // One more look after the news of its death: what it gave before is still to be taken.
      if (diedBefore && this.death) throw new WorkerDeath(this.death);
      await turn();
      diedBefore = this.death !== null;
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
