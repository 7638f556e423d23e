import { Worker } from 'node:worker_threads';
import type { Task } from './plan.ts';
import { doTask, type Share, type Tell, type Work } from './share.ts';
import type { Order, Progress } from './worker.ts';

/** What a worker makes dies young; a small nursery stays in the cache, and keeps two threads within the memory of one. */
const YOUNG = { maxYoungGenerationSizeMb: 12 };

/** Something that does tasks, one at a time. */
type Runner = (task: Task) => AsyncGenerator<Share>;

/**
 * The main thread and workers beside it, each doing one task at a time. A worker that dies fails the task that it was
 * at, and with it the run: a report that silently lacks a part is worse than none.
 */
export class Pool {
  private readonly workers: Worker[] = [];
  private readonly idle: Runner[];

  constructor(
    jobs: number,
    private readonly work: Work,
    private readonly tell: Tell,
  ) {
    this.idle = [(task) => doTask(task, work, tell)];
    for (let job = 1; job < jobs; job++) this.idle.push(this.startWorker());
  }

  async *run(task: Task): AsyncGenerator<Share> {
    // A stream cannot go to another thread.
    if (task.inputs.some(({ kind }) => kind === 'stream')) {
      yield* doTask(task, this.work, this.tell);
      return;
    }
    const runner = this.idle.pop();
    if (!runner) throw new Error('more tasks at once than there are threads');
    yield* runner(task);
    this.idle.push(runner);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private startWorker(): Runner {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { resourceLimits: YOUNG });
    this.workers.push(worker);
    const say = (order: Order) => worker.postMessage(order);
    const arrived: Share[] = [];
    let death: Error | null = null;
    let wake = () => {};
    worker.on('message', (message: Share | { progress: Progress }) => {
      if ('progress' in message) this.tell(message.progress.bytes, message.progress.trajectories);
      else arrived.push(message);
      wake();
    });
    const died = (error: Error) => {
      death ??= error;
      wake();
    };
    worker.on('error', died);
    worker.on('exit', (code) => died(new Error(`it ended with code ${code}`)));
    const { work } = this;
    return async function* (task) {
      say({ task, work });
      for (;;) {
        const share = arrived.shift();
        if (share) {
          say({ more: true });
          yield share;
          if (share.finished) return;
        } else if (death) throw new WorkerDeath(death);
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    };
  }
}

export class WorkerDeath extends Error {
  override readonly name = 'WorkerDeath';

  constructor(reason: Error) {
    super(`a worker thread died (${reason.message}), so a part of the input is missing and nothing is reported`);
  }
}
