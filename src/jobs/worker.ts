import { parentPort } from 'node:worker_threads';
import type { Task } from './plan.ts';
import { doTask, type Work } from './share.ts';

/** What the main thread says: a task to do, or that it has room for one more piece. */
export type Order = { task: Task; work: Work } | { more: true };

export interface Progress {
  bytes: number;
  trajectories: number;
}

/** How many pieces may be on their way before the main thread has taken one. */
export const PIECES_AHEAD = 8;

let room = PIECES_AHEAD;
let wake = () => {};

parentPort?.on('message', (order: Order) => {
  if ('more' in order) {
    room++;
    wake();
  } else void work(order.task, order.work);
});

/** A message for every few megabytes is enough to watch. */
const TELL_AFTER_BYTES = 4 * 1024 * 1024;
const untold: Progress = { bytes: 0, trajectories: 0 };

function tell(bytes: number, trajectories: number): void {
  untold.bytes += bytes;
  untold.trajectories += trajectories;
  if (untold.bytes < TELL_AFTER_BYTES) return;
  parentPort?.postMessage({ progress: { ...untold } });
  untold.bytes = 0;
  untold.trajectories = 0;
}

async function work(task: Task, what: Work): Promise<void> {
  for await (const share of doTask(task, what, tell)) {
    while (room === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    room--;
    parentPort?.postMessage(share);
  }
}
