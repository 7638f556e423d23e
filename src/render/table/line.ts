import { inertText } from '../escape.ts';
import { boundedName } from '../name.ts';
import { displayWidth, shorten } from '../width.ts';

/**
 * A line is a list of spans, and colour is put on last: so widths are counted on what is seen, and a table without
 * colour is the same table.
 */

/** Styles are named for what they say; a theme is chosen in one place. */
export type Style = 'good' | 'bad' | 'warn' | 'dim' | 'strong';

export interface Span {
  text: string;
  style?: Style;
}

export type Line = Span[];

const CODES: Record<Style, [number, number]> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  dim: [2, 22],
  strong: [1, 22],
};

export function span(text: string, style?: Style): Span {
  return style ? { text, style } : { text };
}

export function line(...parts: (string | Span)[]): Line {
  return parts.map((part) => (typeof part === 'string' ? { text: part } : part));
}

export function lineWidth(parts: Line): number {
  return parts.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Never wider than the terminal, whatever the sections do, and nothing blank at the end. */
export function paintLine(parts: Line, width: number, color: boolean): string {
  const spans: Line = [];
  let room = width;
  for (const { text, style } of parts) {
    const fitting = shorten(text, room);
    room -= displayWidth(fitting);
    if (fitting !== '') spans.push(span(fitting, style));
  }
  while (spans.length > 0) {
    const last = spans.at(-1)!;
    last.text = last.text.trimEnd();
    if (last.text !== '') break;
    spans.pop();
  }
  if (!color) return spans.map(({ text }) => text).join('');
  return spans.map(({ text, style }) => (style ? paint(text, style) : text)).join('');
}

function paint(text: string, style: Style): string {
  const [on, off] = CODES[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

/** A name from the log, harmless and of bounded length. */
export function nameText(name: string): string {
  return inertText(boundedName(name));
}
