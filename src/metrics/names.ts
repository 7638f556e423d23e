import type { Fold } from '../fold/fold.ts';

/** How often each name came. */
export function countNames<X>(name: (input: X) => unknown): Fold<X, Map<string, number>, Map<string, number>> {
  return {
    init: () => new Map(),
    step(counts, input) {
      const found = name(input);
      const key = typeof found === 'string' ? found : '(unknown)';
      return counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    merge(left, right) {
      for (const [key, count] of right) left.set(key, (left.get(key) ?? 0) + count);
      return left;
    },
    done: (counts) => counts,
  };
}

export function totalCount(counts: Map<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
