import { type Cut, displayWidth, shorten } from '../width.ts';
import { type Line, lineWidth, span } from './line.ts';

/** Columns that fit: names are shortened first, then the least important columns go, one by one. */

export interface Column {
  title: string;
  cells: Line[];
  align?: 'left' | 'right';
  /** A column of names: may be shortened, here. */
  cut?: Cut;
  /** How far a name is shortened before a column is dropped; below that only when none is left to drop. */
  comfortable?: number;
  /** The higher, the sooner it goes when there is no room; without it, it stays. */
  drop?: number;
}

const INDENT = 2;
const GAP = 2;
const COMFORTABLE = 26;
const LEAST = 3;

export function grid(columns: Column[], width: number): Line[] {
  const filled = columns.filter(({ cells }) => cells.some((cell) => lineWidth(cell) > 0));
  const { kept, widths } = fitColumns(filled, width - INDENT);
  const titled = kept.some(({ title }) => title !== '');
  const rows = Math.max(0, ...kept.map(({ cells }) => cells.length));
  const lines: Line[] = titled ? [row(kept, widths, ({ title }) => [span(title, 'dim')])] : [];
  for (let i = 0; i < rows; i++) lines.push(row(kept, widths, ({ cells }) => cells[i]!));
  return lines;
}

function row(columns: Column[], widths: number[], cellOf: (column: Column) => Line): Line {
  const parts: Line = [span(' '.repeat(INDENT))];
  columns.forEach((column, i) => {
    const cell = clip(cellOf(column), widths[i]!, column.cut);
    const padding = span(' '.repeat(widths[i]! - lineWidth(cell)));
    if (i > 0) parts.push(span(' '.repeat(GAP)));
    parts.push(...(column.align === 'right' ? [padding, ...cell] : [...cell, padding]));
  });
  return parts;
}

function clip(cell: Line, width: number, cut: Cut | undefined): Line {
  if (lineWidth(cell) <= width) return cell;
  let room = width;
  return cell.map(({ text, style }) => {
    const fitting = shorten(text, room, cut);
    room -= displayWidth(fitting);
    return span(fitting, style);
  });
}

function naturalWidth({ title, cells }: Column): number {
  return cells.reduce((widest, cell) => Math.max(widest, lineWidth(cell)), displayWidth(title));
}

function fitColumns(columns: Column[], width: number): { kept: Column[]; widths: number[] } {
  let kept = columns;
  for (;;) {
    const natural = kept.map(naturalWidth);
    const gaps = GAP * Math.max(0, kept.length - 1);
    const least = kept.map(({ cut, comfortable = COMFORTABLE }, i) =>
      cut ? Math.min(natural[i]!, comfortable) : natural[i]!,
    );
    const droppable = kept.filter(({ drop }) => drop !== undefined);
    if (gaps + sum(least) <= width || droppable.length === 0) {
      return { kept, widths: squeeze(kept, natural, width - gaps) };
    }
    const first = droppable.reduce((a, b) => (b.drop! > a.drop! ? b : a));
    kept = kept.filter((column) => column !== first);
  }
}

/** Takes from the widest name column until the row fits: two long columns end up equal. */
function squeeze(columns: Column[], natural: number[], width: number): number[] {
  const widths = [...natural];
  const candidates = columns.flatMap(({ cut }, i) => (cut ? [i] : []));
  let excess = sum(widths) - width;
  while (excess > 0) {
    const widest = candidates.reduce((a, b) => (widths[b]! > widths[a]! ? b : a), candidates[0] ?? -1);
    if (widest < 0 || widths[widest]! <= LEAST) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
