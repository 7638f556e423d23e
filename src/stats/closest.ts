/** The known word that was probably meant, or null if none is near. */
export function closestWord(word: string, known: Iterable<string>): string | null {
  let closest: string | null = null;
  let distance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const found = editDistance(word.slice(0, 50).toLowerCase(), candidate.toLowerCase());
    if (found < distance) {
      closest = candidate;
      distance = found;
    }
  }
  return closest;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        current[j] = Math.min(current[j], before[j - 2] + 1);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length];
}
