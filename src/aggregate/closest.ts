/** The candidate that a mistyped word most likely meant; null where none is near. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best), {
      candidate: null as string | null,
      distance: Math.max(2, word.length / 3) + 1,
    });
  return nearest.candidate;
}

/** A part of a word counts as one mistake, however much is left out: `cost` is near to `costUsd`. */
function distance(word: string, candidate: string): number {
  return word.length > 2 && candidate.includes(word) ? 1 : editDistance(word, candidate);
}

/** The fewest insertions, deletions and replacements that turn one into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = previous[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}
