import type { Fold } from '../fold/fold.ts';
import { shortName } from '../fold/names.ts';

/** Of one trajectory so many names of a kind are told apart; what a hostile log has beyond them is thrown together. */
export const NAMES_PER_TRAJECTORY = 10_000;
export const OTHER_NAMES = '(other)';

/** The name under which something is counted: bounded in length, and in number. */
export function countedName(known: Map<string, unknown>, name: unknown): string {
  if (typeof name !== 'string') return '(unknown)';
  if (known.has(name)) return name;
  const short = shortName(name);
  return known.size < NAMES_PER_TRAJECTORY || known.has(short) ? short : OTHER_NAMES;
}

/** How often each name came. */
export function countNames<X>(name: (input: X) => unknown): Fold<X, Map<string, number>, Map<string, number>> {
  return {
    init: () => new Map(),
    step(counts, input) {
      const key = countedName(counts, name(input));
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
