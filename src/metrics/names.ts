import { shortName } from '../fold/names.ts';
import type { EventDigest, NameCount } from '../model/digest.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { EventFold } from './event-fold.ts';

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

type Counts = Map<string, number>;

/** How often each name came. */
export function countNames(
  name: (event: TrajectoryEvent) => unknown,
  counted: (digest: EventDigest) => readonly NameCount[],
): EventFold<Counts, Counts> {
  return {
    init: () => new Map(),
    step: (counts, event) => add(counts, countedName(counts, name(event)), 1),
    absorb(counts, digest) {
      for (const { name, count } of counted(digest)) add(counts, countedName(counts, name), count);
      return counts;
    },
    merge(left, right) {
      for (const [key, count] of right) add(left, key, count);
      return left;
    },
    done: (counts) => counts,
  };
}

function add(counts: Counts, key: string, more: number): Counts {
  return counts.set(key, (counts.get(key) ?? 0) + more);
}

export function totalCount(counts: Counts): number {
  if (counts.size === 0) return 0;
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
