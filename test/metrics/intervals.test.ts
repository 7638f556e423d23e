import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addInterval, type Intervals, numbersOf, overlapLength, totalLength } from '../../src/metrics/intervals.ts';

const SIZE = 40;
const interval = fc.tuple(fc.nat({ max: SIZE }), fc.nat({ max: SIZE }));
const someIntervals = fc.oneof(
  fc.array(interval, { maxLength: 15 }),
  fc.array(
    fc.nat({ max: SIZE - 1 }).map((from): [number, number] => [from, from + 1]),
    { maxLength: 40, size: 'max' },
  ),
);

/** In small blocks, so that there are several of them. */
function built(list: [number, number][], full = 4): Intervals {
  const intervals: Intervals = [];
  for (const [from, to] of list) addInterval(intervals, from, to, full);
  return intervals;
}

const flat = (intervals: Intervals): number[] => intervals.flatMap(numbersOf);

/** One bit for each unit of time. */
function bitmap(list: [number, number][]): boolean[] {
  return Array.from({ length: SIZE }, (_, unit) => list.some(([from, to]) => from <= unit && unit < to));
}

const pairsOf = (intervals: readonly number[]) =>
  Array.from({ length: intervals.length / 2 }, (_, n): [number, number] => [intervals[2 * n], intervals[2 * n + 1]]);
const ones = (bits: boolean[]) => bits.filter(Boolean).length;

test('intervals cover what was added, and nothing else', () => {
  fc.assert(
    fc.property(someIntervals, (list) => {
      const intervals = built(list);
      expect(bitmap(pairsOf(flat(intervals)))).toEqual(bitmap(list));
      expect(totalLength(intervals)).toBe(ones(bitmap(list)));
    }),
    { numRuns: 500 },
  );
});

test('intervals stay in order, apart from one another, and never empty', () => {
  fc.assert(
    fc.property(someIntervals, (list) => {
      const blocks = built(list);
      for (const block of blocks.map(numbersOf)) {
        expect(block.length).toBeGreaterThan(0);
        expect(block.length).toBeLessThanOrEqual(4);
        expect(block.length % 2).toBe(0);
      }
      const intervals = flat(blocks);
      for (let n = 1; n < intervals.length; n++) expect(intervals[n]).toBeGreaterThan(intervals[n - 1]);
    }),
    { numRuns: 300 },
  );
});

test.each([0.5, 2 ** -20, 1e12, 2 ** 40])('are kept exactly, %d milliseconds apart', (unit) => {
  fc.assert(
    fc.property(someIntervals, (list) => {
      const scaled = list.map(([from, to]): [number, number] => [from * unit, to * unit]);
      expect(flat(built(scaled))).toEqual(flat(built(list)).map((time) => time * unit));
    }),
  );
});

test('the order of adding does not matter', () => {
  fc.assert(
    fc.property(
      someIntervals.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(flat(built(shuffled))).toEqual(flat(built(list)));
      },
    ),
  );
});

test('the overlap of two sets is what they have in common', () => {
  fc.assert(
    fc.property(someIntervals, someIntervals, (a, b) => {
      const bits = bitmap(b);
      const common = ones(bitmap(a).map((bit, unit) => bit && bits[unit]));
      expect(overlapLength(built(a), built(b))).toBe(common);
      expect(overlapLength(built(a, 2), built(b, 10))).toBe(common);
      expect(overlapLength(built(b), built(a))).toBe(common);
    }),
    { numRuns: 300 },
  );
});

test.each([
  [
    [
      [0, 5],
      [5, 8],
    ],
    [0, 8],
  ],
  [
    [
      [5, 8],
      [0, 5],
    ],
    [0, 8],
  ],
  [
    [
      [0, 1],
      [4, 5],
      [2, 3],
      [1, 4],
    ],
    [0, 5],
  ],
  [
    [
      [3, 3],
      [7, 2],
    ],
    [],
  ],
  [
    [
      [2, 4],
      [0, 9],
    ],
    [0, 9],
  ],
  [
    [
      [0, 9],
      [2, 4],
    ],
    [0, 9],
  ],
] as [[number, number][], number[]][])('%j is %j', (list, expected) => {
  expect(flat(built(list))).toEqual(expected);
});

test('a million intervals from the last to the first take no longer than in order', () => {
  const intervals: Intervals = [];
  for (let n = 1_000_000; n > 0; n--) addInterval(intervals, 2 * n, 2 * n + 1);
  expect(totalLength(intervals)).toBe(1_000_000);
  expect(overlapLength(intervals, [[0, 1_000_001]])).toBe(500_000);
});
