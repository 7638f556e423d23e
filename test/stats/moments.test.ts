import fc from 'fast-check';
import * as simpleStatistics from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { mean } from '../../src/stats/mean.ts';
import { sampleStandardDeviation } from '../../src/stats/sample-standard-deviation.ts';

test('the mean of nothing is null, and of something its exact sum by its count', () => {
  expect(mean([])).toBeNull();
  expect(mean([2, 4, 4, 4, 5, 5, 7, 9])).toBe(5);
  expect(mean([1e100, 1, -1e100])).toBe(1 / 3);
});

describe('the sample standard deviation', () => {
  test('of fewer than two values is null', () => {
    expect(sampleStandardDeviation([])).toBeNull();
    expect(sampleStandardDeviation([7])).toBeNull();
  });

  // python3 -c 'import statistics; print(statistics.stdev([...]))', which works on exact fractions
  test.each([
    [[2, 4, 4, 4, 5, 5, 7, 9], 2.138089935299395],
    [[0.1, 0.1, 0.1], 0],
    [[0, 1, 2, 3, 4].map((i) => 1e9 + 0.1 * i), 0.15811386415977868], // the textbook formula in doubles says 0 or NaN
    [[1e200, 3e200, 2e200], 1e200],
    [[1e-200, 3e-200, 2e-200], 1e-200],
    [Array.from({ length: 1000 }, (_, i) => (((i + 1) * (i + 1) * 7919) % 10007) / 97), 29.24453323968336],
  ])('agrees with Python (case %#)', (values, deviation) => {
    expect(sampleStandardDeviation(values)).toBeCloseTo(deviation, 15);
    expect(Math.abs(sampleStandardDeviation(values)! / (deviation || 1) - Math.sign(deviation))).toBeLessThan(3e-16);
  });

  test('agrees with simple-statistics', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2 });
    fc.assert(
      fc.property(values, (sample) => {
        const expected = simpleStatistics.sampleStandardDeviation(sample);
        expect(Math.abs(sampleStandardDeviation(sample)! - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, expected));
      }),
    );
  });

  test('is the same in any order, to the last bit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (sample) => {
        expect(sampleStandardDeviation(sample.toReversed())).toBe(sampleStandardDeviation(sample));
      }),
    );
  });

  test('of infinite values is not a number', () => {
    expect(sampleStandardDeviation([1, Number.POSITIVE_INFINITY])).toBeNaN();
  });
});
