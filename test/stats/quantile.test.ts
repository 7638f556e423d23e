import { expect, test } from 'vitest';
import { quantile } from '../../src/stats/quantile.ts';

// python3 -c 'import numpy; print(numpy.quantile([...], [...]))'
test.each([
  [
    [1, 2, 3, 4, 10],
    [0, 0.25, 0.5, 0.9, 0.95, 0.99, 1],
    [1, 2, 3, 7.6, 8.8, 9.76, 10],
  ],
  [
    [-3.5, 0, 0, 12],
    [0.1, 0.5, 0.9],
    [-2.45, 0, 8.4],
  ],
  [[7], [0, 0.5, 0.99, 1], [7, 7, 7, 7]],
  [
    Array.from({ length: 1000 }, (_, i) => (((i + 1) * (i + 1) * 7919) % 10007) / 97),
    [0.5, 0.9, 0.95, 0.99, 0.123],
    [48.855670103092784, 90.87525773195877, 96.99690721649483, 101.4781443298969, 11.054247422680412],
  ],
])('type 7 agrees with NumPy (case %#)', (values, probabilities, expected) => {
  const sorted = values.toSorted((a, b) => a - b);
  for (const [i, probability] of probabilities.entries())
    expect(quantile(sorted, probability)).toBeCloseTo(expected[i], 12);
});

test('between two equal values there is nothing but that value', () => {
  expect(quantile([0.1, 0.1, 0.1], 0.37)).toBe(0.1);
});
