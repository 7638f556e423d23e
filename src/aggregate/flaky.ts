import { foldAll } from '../fold/fold.ts';
import { compareText } from '../fold/names.ts';
import { top } from '../fold/top.ts';
import type { FlakyTask } from '../model/report.ts';
import { LIMITS } from './limits.ts';
import type { Tasks } from './tasks.ts';

/** Tasks that both passed and failed: nearest to a coin toss first, then more trials, then by name. */
export function flakiest(tasks: Tasks): FlakyTask[] {
  const flaky = tasks.named
    .filter(([, { passed, failed }]) => passed > 0 && failed > 0)
    .map(([task, { passed, failed }]) => ({ task, passed, failed }));
  return foldAll(top(LIMITS.flaky, compareFlakiness), flaky);
}

function compareFlakiness(a: FlakyTask, b: FlakyTask): number {
  const trialsOfA = a.passed + a.failed;
  const trialsOfB = b.passed + b.failed;
  // |pass rate − ½| = |passed − failed| / (2 · trials), compared across without dividing.
  return (
    Math.abs(a.passed - a.failed) * trialsOfB - Math.abs(b.passed - b.failed) * trialsOfA ||
    trialsOfB - trialsOfA ||
    compareText(a.task, b.task)
  );
}
