import { scaleLinear } from 'd3-scale';
import { percent } from '../units.ts';
import type { MeasuredMetric } from '../view.ts';

/** Where the marks of an axis stand, and what they say: in the steps people count in. */

export interface Axis {
  /** Position of a value, in percent of the width. */
  at: (value: number) => number;
  ticks: { at: number; label: string }[];
}

export function axis(domain: [number, number], values: number[], label: (value: number) => string): Axis {
  const at = scaleLinear(domain, [0, 100]).clamp(true);
  return { at, ticks: values.map((value) => ({ at: at(value), label: label(value) })) };
}

export const SHARE_AXIS = axis([0, 1], [0, 0.25, 0.5, 0.75, 1], percent0);

/** `25 %`: the marks of a share are whole. */
function percent0(share: number): string {
  return percent(share).replace('.0', '');
}

/** A log can hold any double; beyond these, d3 cannot count ticks. */
const SMALLEST = 1e-12;
const LARGEST = 1e300;

/** From zero where it can, so that the length of a bar is its value. */
export function metricAxis({ name, distribution, format }: MeasuredMetric): Axis {
  const { min, max } = distribution;
  if (format === percent || (name.startsWith('scores.') && min! >= 0 && max! <= 1)) {
    const label = format === percent ? percent0 : format;
    return axis([0, 1], [0, 0.5, 1], label);
  }
  const low = Math.max(-LARGEST, Math.min(0, min!));
  const high = Math.min(LARGEST, max! - low > SMALLEST ? max! : low + 1);
  if (name.endsWith('Ms')) return axis([low, high], timeTicks(low, high), shortDuration);
  const ticks = scaleLinear([low, high], [0, 1]).ticks(4);
  // Turns and calls come whole.
  const counted = Number.isInteger(min) && Number.isInteger(max) && !name.startsWith('scores.');
  return axis([low, high], counted ? ticks.filter(Number.isInteger) : ticks, (value) =>
    format(value).replace(/\.0+ /, ' '),
  );
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100].map((count) => count * DAY),
];

function timeTicks(low: number, high: number): number[] {
  const step = TIME_STEPS.find((candidate) => (high - low) / candidate <= 4.5);
  if (high - low < 4 * SECOND || step === undefined) return scaleLinear([low, high], [0, 1]).ticks(4);
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
}

/** `0`, `30s`, `10m`, `3h`: a mark has no odd seconds. */
function shortDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  for (const [unit, letter] of [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ] as const) {
    if (milliseconds % unit === 0) return `${milliseconds / unit}${letter}`;
  }
  return milliseconds < SECOND ? `${+milliseconds.toPrecision(3)}ms` : `${+(milliseconds / SECOND).toPrecision(3)}s`;
}
