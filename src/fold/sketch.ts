import { interpolateRank } from '../stats/quantile.ts';
import type { Fold } from './fold.ts';

/** Every quantile is within this fraction of the true one. */
export const SKETCH_RELATIVE_ERROR = 0.005;

/**
 * DDSketch (Masson, Rim and Lee 2019): how many values fell into each bin, where bin i of the positive numbers holds
 * (γ^(i−1), γ^i]. Merging only adds whole numbers, so order and sharding never matter.
 *
 * Written out rather than taken from `@datadog/sketches-js`: a state has to be plain data to leave a worker thread, and
 * the library's instances are not; its quantiles do not interpolate, as type 7 does; and its dense stores would hold
 * a hundred thousand bins for two values that are far apart.
 */
export type Sketch = Map<number, Float64Array>;

/** Bins lie in pages of this many, of which only those exist that hold something. */
const PAGE_BITS = 7;
const PAGE = 1 << PAGE_BITS;

const GAMMA = (1 + SKETCH_RELATIVE_ERROR) / (1 - SKETCH_RELATIVE_ERROR);
const BINS_PER_UNIT = 1 / Math.log(GAMMA);
/** Bins of doubles lie between −71,000 and 71,000; shifted by this, the sign of a key is the sign of its values. */
const SHIFT = 100_000;
/** Subnormal numbers are too coarse for a relative error, and go with the zeros. */
const SMALLEST_NORMAL = 2 ** -1022;

/** Keys are in the order of the values: negative numbers below 0, zeros at 0. */
function keyOf(value: number): number {
  const size = Math.abs(value);
  if (size < SMALLEST_NORMAL) return 0;
  const key = SHIFT + Math.ceil(Math.log(size) * BINS_PER_UNIT);
  return value < 0 ? -key : key;
}

/** The point of the bin from which both its ends are equally far, relative to themselves. */
function middleOf(key: number): number {
  if (key === 0) return 0;
  const size = Math.exp((Math.abs(key) - SHIFT) / BINS_PER_UNIT) * (2 / (1 + GAMMA));
  return key < 0 ? -size : size;
}

/** Reads quantiles of the values, which all lie between `min` and `max`. */
export type QuantileReader = (probability: number, extent: { min: number; max: number }) => number;

/** Quantiles of finite values in little memory, within a relative error. */
export const sketch: Fold<number, Sketch, QuantileReader> = {
  init: () => new Map(),
  step(pages, value) {
    const key = keyOf(value);
    pageOf(pages, key >> PAGE_BITS)[key & (PAGE - 1)] += 1;
    return pages;
  },
  merge(left, right) {
    for (const [number, page] of right) {
      const sums = pageOf(left, number);
      for (let i = 0; i < PAGE; i++) sums[i] += page[i];
    }
    return left;
  },
  done(pages) {
    const keys: number[] = [];
    const through: number[] = [];
    let total = 0;
    for (const number of [...pages.keys()].sort((a, b) => a - b)) {
      for (const [i, count] of pages.get(number)!.entries()) {
        if (count === 0) continue;
        total += count;
        keys.push(number * PAGE + i);
        through.push(total);
      }
    }
    return (probability, { min, max }) => {
      const valueAt = (rank: number) => Math.min(max, Math.max(min, middleOf(keys[firstAbove(through, rank)])));
      return interpolateRank(valueAt, total, probability);
    };
  },
};

function pageOf(pages: Sketch, number: number): Float64Array {
  let page = pages.get(number);
  if (page === undefined) {
    page = new Float64Array(PAGE);
    pages.set(number, page);
  }
  return page;
}

/** The first position whose entry is greater than the rank; entries ascend. */
function firstAbove(ascending: readonly number[], rank: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}
