import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addInterval, overlapLength, totalLength } from '../../src/metrics/intervals.ts';

const SIZE = 40;
const interval = fc.tuple(fc.nat({ max: SIZE }), fc.nat({ max: SIZE }));
const someIntervals = fc.array(interval, { maxLength: 15 });

function built(list: [number, number][]): number[] {
  const intervals: number[] = [];
  for (const [from, to] of list) addInterval(intervals, from, to);
  return intervals;
}

/** One bit for each unit of time. */
function bitmap(list: [number, number][]): boolean[] {
  return Array.from({ length: SIZE }, (_, unit) => list.some(([from, to]) => from <= unit && unit < to));
}

const pairsOf = (intervals: number[]) =>
  Array.from({ length: intervals.length / 2 }, (_, n): [number, number] => [intervals[2 * n], intervals[2 * n + 1]]);
const ones = (bits: boolean[]) => bits.filter(Boolean).length;

test('intervals cover what was added, and nothing else', () => {
  fc.assert(
    fc.property(someIntervals, (list) => {
      const intervals = built(list);
      expect(bitmap(pairsOf(intervals))).toEqual(bitmap(list));
      expect(totalLength(intervals)).toBe(ones(bitmap(list)));
    }),
    { numRuns: 500 },
  );
});

test('intervals stay in order, apart from one another, and never empty', () => {
  fc.assert(
    fc.property(someIntervals, (list) => {
      const intervals = built(list);
      expect(intervals.length % 2).toBe(0);
      for (let n = 1; n < intervals.length; n++) expect(intervals[n]).toBeGreaterThan(intervals[n - 1]);
    }),
    { numRuns: 300 },
  );
});

test('the order of adding does not matter', () => {
  fc.assert(
    fc.property(
      someIntervals.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(built(shuffled)).toEqual(built(list));
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
  expect(built(list)).toEqual(expected);
});
