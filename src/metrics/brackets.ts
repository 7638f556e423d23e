/**
 * Pairs of an opening and a closing event with the same key, such as a tool call and its result. A closing event takes
 * the latest open one, like a closing parenthesis: that is what makes the pairing of two halves, joined, the same as the
 * pairing of the whole.
 */
export interface Brackets<O extends number | object, C> {
  /** The one that was opened last: in most logs it is closed before the next one opens, and never gets into the Map. */
  last: { key: string; open: O } | null;
  /** Those before it; a list only where several are open under one key. Null for none. */
  open: Map<string, O | O[]> | null;
  /** Closing events that found nothing open; in an earlier part there may be something. */
  orphans: { key: string; close: C }[];
}

/** A bound on what a log that never closes anything can make us remember. */
const MOST_OPEN = 100_000;

export function noBrackets<O extends number | object, C>(): Brackets<O, C> {
  return { last: null, open: null, orphans: [] };
}

export function openBracket<O extends number | object, C>(brackets: Brackets<O, C>, key: string, open: O): void {
  if (brackets.last !== null) {
    brackets.open ??= new Map();
    keep(brackets.open, brackets.last.key, brackets.last.open);
  }
  brackets.last = { key, open };
}

function keep<O extends number | object>(kept: Map<string, O | O[]>, key: string, open: O): void {
  const waiting = kept.get(key);
  if (waiting !== undefined) {
    if (Array.isArray(waiting)) waiting.push(open);
    else kept.set(key, [waiting, open]);
    return;
  }
  // A log that has so many open does not close them; all at once, because a Map is slow to lose its oldest one by one.
  if (kept.size >= MOST_OPEN) kept.clear();
  kept.set(key, open);
}

/** The opening event that this one closes, if there is one. */
export function closeBracket<O extends number | object, C>(
  brackets: Brackets<O, C>,
  key: string,
  close: C,
): O | undefined {
  const { last } = brackets;
  if (last !== null && last.key === key) {
    brackets.last = null;
    return last.open;
  }
  const kept = brackets.open;
  const waiting = kept?.get(key);
  if (!kept || waiting === undefined) {
    brackets.orphans.push({ key, close });
    return undefined;
  }
  if (!Array.isArray(waiting)) {
    kept.delete(key);
    return waiting;
  }
  const open = waiting.pop();
  if (waiting.length === 1) kept.set(key, waiting[0]);
  return open;
}

/** Joins what the earlier half left open with what the later half could not close. */
export function mergeBrackets<O extends number | object, C>(
  left: Brackets<O, C>,
  right: Brackets<O, C>,
  pair: (open: O, close: C) => void,
): Brackets<O, C> {
  for (const { key, close } of right.orphans) {
    const open = closeBracket(left, key, close);
    if (open !== undefined) pair(open, close);
  }
  for (const [key, waiting] of right.open ?? [])
    for (const open of [waiting].flat() as O[]) openBracket(left, key, open);
  if (right.last !== null) openBracket(left, right.last.key, right.last.open);
  return left;
}
