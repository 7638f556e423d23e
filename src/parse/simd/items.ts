import { OP_CLOSE, OP_KNOWN, OP_NUMBER, OP_OPEN_OBJECT } from './codes.ts';

/** Builds an item from its entries, the first of which is at this word; `other` reads the values that are rare. */
export type BuildItem = (
  words: Uint32Array,
  doubles: Float64Array,
  known: readonly unknown[],
  other: (at: number) => unknown,
  at: number,
) => unknown;

export interface ItemForm {
  build: BuildItem;
  /** How many words its entries take. */
  words: number;
}

const WORDS_PER_ENTRY = 4;

/**
 * Makes the function for the form of the item whose entries begin here (see assembly/items.ts): one expression, in which
 * V8 allocates the item at its final size. Null where making functions from text is not allowed.
 */
export function itemForm(words: Uint32Array, start: number, names: readonly string[]): ItemForm | null {
  let source = '{';
  let depth = 1;
  let entry = start;
  while (depth > 0) {
    entry += WORDS_PER_ENTRY;
    const op = words[entry] & 0xff;
    const name = JSON.stringify(names[words[entry] >>> 8]);
    if (op === OP_CLOSE) {
      depth--;
      source += depth > 0 ? '},' : '}';
    } else if (op === OP_OPEN_OBJECT) {
      depth++;
      source += `${name}:{`;
    } else source += `${name}:${valueAt(entry - start)},`;
  }
  try {
    const build = new Function('words', 'doubles', 'known', 'other', 'at', `let op; return ${source};`) as BuildItem;
    return { build, words: entry - start };
  } catch {
    return null;
  }
}

function valueAt(distance: number): string {
  return (
    `(op = words[at + ${distance}] & 255) === ${OP_KNOWN} ? known[words[at + ${distance + 1}]]` +
    ` : op === ${OP_NUMBER} ? doubles[(at + ${distance} >> 1) + 1] : other(at + ${distance})`
  );
}
