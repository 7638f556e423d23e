import type { Distribution, Rate } from '../../model/report.ts';
import { type Line, type Style, span } from './line.ts';

/** Small drawings in characters: each says something that the numbers beside it do not show at a glance. */

export interface Segment {
  value: number;
  glyph: string;
  style?: Style;
}

/** Parts of a whole. A part that occurs gets at least one cell, or the bar would deny it. */
export function stackedBar(segments: Segment[], width: number): Line {
  const present = segments.filter(({ value }) => value > 0);
  const total = present.reduce((sum, { value }) => sum + value, 0);
  const cells = present.map(({ value }) => Math.max(1, Math.floor((value / total) * width)));
  const remainders = present.map(({ value }, i) => ({ i, left: (value / total) * width - cells[i]! }));
  let spare = width - cells.reduce((sum, count) => sum + count, 0);
  for (const { i } of remainders.sort((a, b) => b.left - a.left)) {
    if (spare > 0) {
      cells[i]! += 1;
      spare -= 1;
    }
  }
  // The cells given to the smallest parts are taken from the largest.
  while (spare < 0) {
    const largest = cells.indexOf(Math.max(...cells));
    cells[largest]! -= 1;
    spare += 1;
  }
  return present.map(({ glyph, style }, i) => span(glyph.repeat(Math.max(0, cells[i]!)), style));
}

/** A rate and its interval on the scale from 0 to 1: `····├──●──┤··`. */
export function intervalBar(rate: Rate, width: number): Line {
  const at = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * (width - 1));
  const [low, value, high] = [at(rate.low), at(rate.value), at(rate.high)];
  let bar = '';
  for (let i = low; i <= high; i++) bar += i === value ? '●' : i === low ? '├' : i === high ? '┤' : '─';
  return [span('·'.repeat(low), 'dim'), span(bar), span('·'.repeat(width - 1 - high), 'dim')];
}

/** Minimum to maximum, with the median and the way to the 90th percentile: `╶─┃━━━───╴`. */
export function quantileBar({ min, p50, p90, max }: Distribution, width: number): Line {
  if (min === null || p50 === null || p90 === null || max === null) return [];
  if (!(max > min)) return [span('┃')];
  const at = (value: number) => Math.round(((value - min) / (max - min)) * (width - 1));
  const [median, ninetieth] = [at(p50), at(p90)];
  const cells = Array.from({ length: width }, (_, i) => {
    if (i === median) return '┃';
    if (i > median && i <= ninetieth) return '━';
    return i === 0 ? '╶' : i === width - 1 ? '╴' : '─';
  }).join('');
  return [
    span(cells.slice(0, median), 'dim'),
    span(cells.slice(median, ninetieth + 1)),
    span(cells.slice(ninetieth + 1), 'dim'),
  ];
}
