import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count } from '../../src/fold/count.ts';
import { extent } from '../../src/fold/extent.ts';
import { foldAll } from '../../src/fold/fold.ts';
import { moments, momentsOf } from '../../src/fold/moments.ts';
import { sum } from '../../src/fold/sum.ts';
import { sumFields } from '../../src/fold/sum-fields.ts';
import { tally } from '../../src/fold/tally.ts';
import { top } from '../../src/fold/top.ts';
import { keepsTheLaws } from './laws.ts';

const doubles = fc.double();
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const hostileNames = fc.constantFrom('', '__proto__', 'constructor', 'toString', '(other)', 'bash', '名前', '\ud83d');

describe('every fold keeps the laws', () => {
  keepsTheLaws('count', count, fc.anything());
  keepsTheLaws('sum', sum, doubles);
  keepsTheLaws('sumFields', sumFields('a', 'b'), fc.record({ a: doubles, b: doubles }));
  keepsTheLaws('extent', extent, finite);
  keepsTheLaws('moments', moments, finite);
  keepsTheLaws('tally', tally(5), fc.tuple(hostileNames, fc.nat()));
  keepsTheLaws(
    'top',
    top<number>(3, (a, b) => b - a),
    fc.integer({ min: 0, max: 20 }),
  );
});

test('the extent of nothing is null', () => {
  expect(foldAll(extent, [])).toBeNull();
  expect(foldAll(extent, [3, -1, 2])).toEqual({ min: -1, max: 3 });
});

test('moments of nothing are null, but for the count and the sum', () => {
  expect(foldAll(moments, [])).toEqual({ count: 0, sum: 0, mean: null, sd: null });
  // Sum of squared deviations of 1 2 4 from 7/3 is 14/3, divided by 2
  expect(foldAll(moments, [1, 2, 4])).toEqual({
    count: 3,
    sum: 7,
    mean: 7 / 3,
    sd: expect.closeTo(Math.sqrt(7 / 3), 14),
  });
});

test('moments of values that are all there are the same, to the last bit', () => {
  const values = fc.oneof(
    fc.array(fc.integer({ min: -1000, max: 1000 })),
    fc.array(fc.maxSafeInteger()),
    fc.array(fc.oneof(fc.integer(), finite)),
    fc.array(fc.constantFrom(94906265, 94906266, -94906266, 67108864, 1)), // squares around 2^53
  );
  fc.assert(
    fc.property(values, (list) => {
      expect(momentsOf(list)).toEqual(foldAll(moments, list));
    }),
    { numRuns: 500 },
  );
});

test('the top three come in order, the later of equals last', () => {
  const compare = (a: [number, string], b: [number, string]) => b[0] - a[0] || (a[1] < b[1] ? -1 : 1);
  const inputs: [number, string][] = [[1, 'x'], [5, 'b'], [5, 'a'], [2, 'y'], [5, 'c'], [0, 'z']]; // biome-ignore format: one line
  expect(foldAll(top(3, compare), inputs).map(([, name]) => name)).toEqual(['a', 'b', 'c']);
});

test('hostile names are names like any other', () => {
  const { entries, cut } = foldAll(tally(10), [
    ['__proto__', 1],
    ['constructor', 2],
    ['', 3],
    ['__proto__', 4],
  ]);
  expect(entries).toEqual([
    ['', 3],
    ['__proto__', 5],
    ['constructor', 2],
  ]);
  expect(cut).toBe(false);
});
