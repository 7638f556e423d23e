import type { Fold } from './fold.ts';

/** The first `limit` inputs in the given order, which must be total for the result not to depend on the order of arrival. */
export function top<X>(limit: number, compare: (a: X, b: X) => number): Fold<X, X[], X[]> {
  function step(best: X[], input: X): X[] {
    if (best.length === limit && compare(input, best[limit - 1]) >= 0) return best;
    let place = best.length;
    while (place > 0 && compare(input, best[place - 1]) < 0) place -= 1;
    best.splice(place, 0, input);
    if (best.length > limit) best.pop();
    return best;
  }
  return {
    init: () => [],
    step,
    merge: (left, right) => right.reduce(step, left),
    done: (best) => [...best],
  };
}
