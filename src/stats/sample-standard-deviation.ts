import { squareRootOfRatio } from './exact-integer.ts';
import { addExactly, addSquareExactly, type ExactSum, exactSumAsWide, WIDE_EXPONENT, zeroSum } from './exact-sum.ts';

/** The sample standard deviation (divisor n − 1); null for fewer than two values. */
export function sampleStandardDeviation(values: Iterable<number>): number | null {
  let count = 0;
  const sum = zeroSum();
  const squares = zeroSum();
  for (const value of values) {
    count += 1;
    addExactly(sum, value);
    addSquareExactly(squares, value);
  }
  return sampleStandardDeviationOfSums(count, sum, squares);
}

/**
 * The sample standard deviation of `count` values, from the exact sum of the values and of their squares:
 * sqrt((n·Σx² − (Σx)²) / (n·(n − 1))). The subtraction that ruins this formula in floating point is done here on whole
 * numbers, so nothing is lost, and the result depends neither on order nor on sharding. NaN where a value is not finite.
 */
export function sampleStandardDeviationOfSums(count: number, sum: ExactSum, squares: ExactSum): number | null {
  if (count < 2) return null;
  if (squares.special !== 0) return Number.NaN;
  const n = BigInt(count);
  // (Σx)² has twice the unit's exponent of Σx, so n·Σx² is raised to meet it.
  const numerator = ((n * exactSumAsWide(squares)) << BigInt(-WIDE_EXPONENT)) - exactSumAsWide(sum) ** 2n;
  return squareRootOfRatio(numerator, n * (n - 1n), 2 * WIDE_EXPONENT);
}
