import { exactSum } from '../stats/exact-sum.ts';
import { passAtK } from '../stats/pass-at-k.ts';
import { passHatK } from '../stats/pass-hat-k.ts';
import type { Tasks } from './tasks.ts';

const LARGEST_K = 10;

/** pass@k and pass^k for k = 1, 2, … up to the largest that every graded task reaches. */
export function repeats(tasks: Tasks): { passAtK: Record<string, number>; passHatK: Record<string, number> } {
  const graded = gradedTasks(tasks);
  const largest = graded.reduce((least, task) => Math.min(least, task.trials), graded.length === 0 ? 0 : LARGEST_K);
  const weight = graded.reduce((sum, task) => sum + task.times, 0);
  const forEachK = (estimate: (trials: number, passed: number, k: number) => number) =>
    Object.fromEntries(
      Array.from({ length: largest }, (_, i) => i + 1).map((k) => [
        k,
        exactSum(graded.map((task) => estimate(task.trials, task.passed, k) * task.times)) / weight,
      ]),
    );
  return { passAtK: forEachK(passAtK), passHatK: forEachK(passHatK) };
}

/** Tasks with at least one graded trial; a row without a task is one of its own. */
function gradedTasks({ named, unnamed }: Tasks): { trials: number; passed: number; times: number }[] {
  return [
    ...named.map(([, { passed, failed }]) => ({ trials: passed + failed, passed, times: 1 })),
    { trials: 1, passed: 1, times: unnamed.passed },
    { trials: 1, passed: 0, times: unnamed.failed },
  ].filter(({ trials, times }) => trials > 0 && times > 0);
}
