import { Worker } from 'node:worker_threads';
import type { Task } from './plan.ts';
import { doTask, type Share, type Work } from './share.ts';
import type { Order } from './worker.ts';

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
  ) {
    this.idle = [(task) => doTask(task, work)];
    for (let job = 1; job < jobs; job++) this.idle.push(this.startWorker());
  }

  async *run(task: Task): AsyncGenerator<Share> {
    const runner = this.idle.pop();
    if (!runner) throw new Error('more tasks at once than there are threads');
    yield* runner(task);
    this.idle.push(runner);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private startWorker(): Runner {
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    this.workers.push(worker);
    const say = (order: Order) => worker.postMessage(order);
    const arrived: Share[] = [];
    let death: Error | null = null;
    let wake = () => {};
    worker.on('message', (share: Share) => {
      arrived.push(share);
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
  constructor(reason: Error) {
    super(`a worker thread died (${reason.message}), so a part of the input is missing and nothing is reported`);
  }
}
