/**
 * A look at the start of some JSON, to tell what it is. Takes what is there, which may end anywhere, and gives the value
 * as far as it goes; of one that does not end here, long strings and arrays are cut, and deep values left out. Never
 * used to read data.
 */
export interface Peeked {
  value: unknown;
  /** Where the value ends in the text; null if the text ends first. */
  end: number | null;
  /** Whether a newline stands inside the value: then it is not a line of JSONL. */
  severalLines: boolean;
  /** Whether the value turned out to be no JSON somewhere; what came before is there. */
  broken: boolean;
  /** How much of the text was looked at. */
  looked: number;
}

const MAX_DEPTH = 12;
const MAX_ITEMS = 3;

export function peek(text: string): Peeked {
  return peekLine(text) ?? peekPart(text);
}

/** The short way, for the most frequent case by far: a whole line that is a whole value. */
function peekLine(text: string): Peeked | null {
  const newline = text.indexOf('\n');
  if (newline < 0) return null;
  try {
    const value: unknown = JSON.parse(text.slice(0, newline));
    return { value, end: newline, severalLines: false, broken: false, looked: newline };
  } catch {
    return null;
  }
}

function peekPart(text: string): Peeked {
  const peeker = new Peeker(text);
  try {
    const value = peeker.value(0);
    return { value, end: peeker.at, severalLines: peeker.severalLines, broken: false, looked: peeker.at };
  } catch (reason) {
    const { root, severalLines, at } = peeker;
    return { value: root, end: null, severalLines, broken: reason !== END, looked: at };
  }
}

/** Thrown where the text ends, and where it is no JSON. */
const END = Symbol('end');
const BROKEN = Symbol('broken');

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\x00-\x1f]/;

class Peeker {
  at = 0;
  severalLines = false;
  root: unknown = undefined;

  constructor(private readonly text: string) {}

  value(depth: number, attach: (value: unknown) => void = () => {}): unknown {
    this.space(depth > 0);
    const char = this.text[this.at];
    if ((char === '{' || char === '[') && depth > MAX_DEPTH) return this.deep(char, attach);
    if (char === '{') return this.object(depth, attach);
    if (char === '[') return this.array(depth, attach);
    const value = char === '"' ? this.string() : this.literal();
    attach(value);
    if (depth === 0) this.root = value;
    return value;
  }

  private object(depth: number, attach: (value: unknown) => void): unknown {
    const members: Record<string, unknown> = Object.create(null);
    attach(members);
    if (depth === 0) this.root = members;
    this.at++;
    if (this.next() === '}') return this.close(members);
    for (;;) {
      if (this.next() !== '"') throw BROKEN;
      const key = this.string();
      if (this.next() !== ':') throw BROKEN;
      this.at++;
      members[key] = undefined;
      this.value(depth + 1, (value) => {
        members[key] = value;
      });
      if (this.next() === '}') return this.close(members);
      if (this.text[this.at] !== ',') throw BROKEN;
      this.at++;
    }
  }

  private array(depth: number, attach: (value: unknown) => void): unknown {
    const items: unknown[] = [];
    attach(items);
    if (depth === 0) this.root = items;
    this.at++;
    if (this.next() === ']') return this.close(items);
    for (;;) {
      this.value(depth + 1, (value) => {
        if (items.length < MAX_ITEMS) items.push(value);
      });
      if (this.next() === ']') return this.close(items);
      if (this.text[this.at] !== ',') throw BROKEN;
      this.at++;
    }
  }

  /** Passes what lies too deep by its brackets alone: a log could nest until the stack is full. */
  private deep(bracket: string, attach: (value: unknown) => void): unknown {
    const result = bracket === '{' ? Object.create(null) : [];
    attach(result);
    let open = 0;
    do {
      const char = this.next();
      if (char === '"') {
        this.string();
        continue;
      }
      if (char === '{' || char === '[') open++;
      else if (char === '}' || char === ']') open--;
      this.at++;
    } while (open > 0);
    return result;
  }

  private close<T>(value: T): T {
    this.at++;
    return value;
  }

  private string(): string {
    const from = ++this.at;
    let end = this.text.indexOf('"', from);
    while (end >= 0 && this.isEscaped(end, from)) end = this.text.indexOf('"', end + 1);
    const raw = this.text.slice(from, end < 0 ? this.text.length : end);
    const control = raw.search(CONTROL_CHARACTER);
    this.at = from + (control < 0 ? raw.length : control);
    if (control >= 0) throw BROKEN;
    if (end < 0) throw END;
    this.at++;
    return raw.length > 200 || !raw.includes('\\') ? raw.slice(0, 200) : unescaped(raw);
  }

  /** Whether an odd number of backslashes stands before this place. */
  private isEscaped(place: number, from: number): boolean {
    let at = place;
    while (at > from && this.text[at - 1] === '\\') at--;
    return (place - at) % 2 === 1;
  }

  private literal(): unknown {
    const match = /[-+.\w]*/y;
    match.lastIndex = this.at;
    const word = match.exec(this.text)?.[0] ?? '';
    if (word === '') throw BROKEN;
    this.at += word.length;
    if (this.at >= this.text.length) throw END;
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (!/^-?\d/.test(word)) throw BROKEN;
    return Number(word);
  }

  private next(): string {
    this.space(true);
    return this.text[this.at];
  }

  private space(inside: boolean): void {
    for (;;) {
      if (this.at >= this.text.length) throw END;
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      if (code === 0x0a && inside) this.severalLines = true;
      this.at++;
    }
  }
}

function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return raw;
  }
}
