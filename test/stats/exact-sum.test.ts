import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addExactly,
  addSquareExactly,
  exactSum,
  mergeExactSums,
  roundExactSum,
  zeroSum,
} from '../../src/stats/exact-sum.ts';

const sumOf = (values: number[]) => values.reduce(addExactly, zeroSum());

describe('the exact sum', () => {
  // python3 -c 'import math; print(math.fsum([...]))'
  test.each([
    [[], 0],
    [[-0], 0],
    [Array(10).fill(0.1), 1],
    [[1e100, 1, -1e100, 1, 1e-5, -1], 1.00001],
    [[1e16, 1, -1e16, 1e-16, 3], 4],
    [[2 ** 53, 1, 1], 2 ** 53 + 2],
    [[2 ** 53, 1], 2 ** 53], // a tie goes to the even neighbour
    [[2 ** 53, 1, 2 ** -1074], 2 ** 53 + 2], // and the smallest number there is breaks it
    [[2 ** 53, 1, -(2 ** -1074)], 2 ** 53],
  ])('of %j is what fsum says', (values, sum) => {
    expect(exactSum(values)).toBe(sum);
  });

  test('of sums beyond the largest double comes back when they do', () => {
    expect(exactSum([1.7e308, 1.7e308, -1.7e308])).toBe(1.7e308);
    expect(exactSum([1.7e308, 1.7e308, -1.7e308, -1.7e308, 2 ** -1074])).toBe(2 ** -1074);
    expect(exactSum([1.7e308, 1.7e308])).toBe(Number.POSITIVE_INFINITY);
    expect(exactSum([2 ** 1000, 2 ** 947])).toBe(2 ** 1000); // a tie, to even
    expect(exactSum([2 ** 1000, 2 ** 947, 2 ** -1074])).toBe(2 ** 1000 + 2 ** 948);
  });

  test('shows infinities and NaN in the result', () => {
    expect(exactSum([1, Number.POSITIVE_INFINITY, 2])).toBe(Number.POSITIVE_INFINITY);
    expect(exactSum([1, Number.NEGATIVE_INFINITY])).toBe(Number.NEGATIVE_INFINITY);
    expect(exactSum([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBeNaN();
    expect(exactSum([0.5, Number.NaN])).toBeNaN();
  });

  // Whole mantissas with exponents of two, whose sum as a BigInt is rounded by the language itself.
  const scaled = fc.record({ mantissa: fc.maxSafeInteger(), exponent: fc.integer({ min: -300, max: 300 }) });
  const numbers = fc.array(
    fc.oneof(
      scaled,
      scaled.map(({ mantissa }) => ({ mantissa, exponent: 0 })),
    ),
  );

  test('is the nearest double to the true sum', () => {
    fc.assert(
      fc.property(numbers, (parts) => {
        const trueSum = parts.reduce((sum, part) => sum + (BigInt(part.mantissa) << BigInt(part.exponent + 300)), 0n);
        expect(exactSum(parts.map((part) => part.mantissa * 2 ** part.exponent))).toBe(Number(trueSum) * 2 ** -300);
      }),
    );
  });

  test('of squares is the nearest double to the true sum of squares', () => {
    fc.assert(
      fc.property(numbers, (parts) => {
        const units = parts.map((part) => BigInt(part.mantissa) << BigInt(Math.trunc(part.exponent / 2) + 150));
        const trueSum = units.reduce((sum, unit) => sum + unit * unit, 0n);
        const values = parts.map((part) => part.mantissa * 2 ** Math.trunc(part.exponent / 2));
        expect(roundExactSum(values.reduce(addSquareExactly, zeroSum()))).toBe(Number(trueSum) * 2 ** -300);
      }),
    );
  });

  test('depends neither on order nor on sharding, for any doubles', () => {
    const doubles = fc.array(fc.double());
    fc.assert(
      fc.property(doubles, doubles, (left, right) => {
        const whole = exactSum([...left, ...right]);
        expect(exactSum([...right, ...left].reverse())).toBe(whole);
        expect(roundExactSum(mergeExactSums(sumOf(left), sumOf(right)))).toBe(whole);
        const squares = (values: number[]) => values.reduce(addSquareExactly, zeroSum());
        expect(roundExactSum(mergeExactSums(squares(left), squares(right)))).toBe(
          roundExactSum(squares([...right, ...left])),
        );
      }),
    );
  });

  test('leaves the second of two merged sums as it was', () => {
    const right = sumOf([0.1, 0.2, 1e300]);
    const before = structuredClone(right);
    mergeExactSums(mergeExactSums(zeroSum(), right), sumOf([0.3]));
    expect(right).toEqual(before);
  });
});
