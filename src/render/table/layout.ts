import { displayWidth } from '../width.ts';
import { type Line, lineWidth, type Span, span } from './line.ts';

/** How sections are put together: labelled facts on top, then blocks, side by side where there is room. */

/** A block is a title and its lines. */
export type Block = Line[];

export const LABEL_WIDTH = 11;
const SEPARATOR = '  ';

/** `Label      part  part  part`, wrapped between parts and never within one. */
export function facts(label: string, parts: Line[], width: number, separator = SEPARATOR): Line[] {
  const lines: Line[] = [];
  let current: Line = [];
  for (const part of parts.filter((candidate) => candidate.length > 0)) {
    const joined = current.length > 0 ? [...current, span(separator), ...part] : part;
    if (current.length > 0 && LABEL_WIDTH + lineWidth(joined) > width) {
      lines.push(current);
      current = part;
    } else {
      current = joined;
    }
  }
  if (current.length > 0) lines.push(current);
  return lines.map((parts, i) => [labelSpan(i === 0 ? label : ''), ...parts]);
}

export function labelSpan(label: string): Span {
  return span(label + ' '.repeat(Math.max(1, LABEL_WIDTH - displayWidth(label))), label === '' ? undefined : 'strong');
}

export function block(title: string, note: string, lines: Line[]): Block {
  if (lines.length === 0) return [];
  return [note === '' ? [span(title, 'strong')] : [span(title, 'strong'), span(`  ${note}`, 'dim')], ...lines];
}

const BETWEEN = 4;

/** Small blocks flow like words: as many side by side as fit. */
export function beside(blocks: Block[], width: number): Line[] {
  const rows: { blocks: Block[]; width: number }[] = [];
  for (const next of blocks.filter(({ length }) => length > 0)) {
    const wide = blockWidth(next);
    const last = rows.at(-1);
    if (last && last.width + BETWEEN + wide <= width) {
      last.blocks.push(next);
      last.width += BETWEEN + wide;
    } else {
      rows.push({ blocks: [next], width: wide });
    }
  }
  return rows.flatMap(({ blocks }, i) => [...(i > 0 ? [[]] : []), ...zip(blocks)]);
}

function zip(blocks: Block[]): Line[] {
  const height = Math.max(...blocks.map(({ length }) => length));
  const widths = blocks.map(blockWidth);
  return Array.from({ length: height }, (_, i) =>
    blocks.flatMap((rows, column) => {
      const cell = rows[i] ?? [];
      if (column === blocks.length - 1) return cell;
      return [...cell, span(' '.repeat(widths[column]! - lineWidth(cell) + BETWEEN))];
    }),
  );
}

function blockWidth(rows: Block): number {
  return rows.reduce((widest, row) => Math.max(widest, lineWidth(row)), 0);
}
