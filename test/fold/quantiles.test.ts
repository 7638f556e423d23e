import { DDSketch } from '@datadog/sketches-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactUpTo } from '../../src/fold/exact-up-to.ts';
import { type Fold, foldAll, mapDone } from '../../src/fold/fold.ts';
import { quantiles } from '../../src/fold/quantiles.ts';
import { SKETCH_RELATIVE_ERROR, sketch } from '../../src/fold/sketch.ts';
import { quantile } from '../../src/stats/quantile.ts';
import { keepsTheLaws } from './laws.ts';

const PROBABILITIES = [0, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 1];
const everywhere = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const everyday = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer(), fc.double({ min: -1, max: 1, noNaN: true }));

const readSketch: Fold<number, unknown, number[]> = mapDone(sketch, (at) =>
  PROBABILITIES.map((p) => at(p, everywhere)),
);
const ascending: Fold<number, number[], number[]> = {
  init: () => [],
  step: (values, value) => [...values, value],
  merge: (left, right) => [...left, ...right],
  done: (values) => values.toSorted((a, b) => a - b),
};

describe('the folds keep the laws', () => {
  keepsTheLaws(
    'sketch',
    mapDone(sketch, (at) => at(0.5, everywhere)),
    everyday,
  );
  keepsTheLaws('quantiles', quantiles(PROBABILITIES), finite);
  keepsTheLaws(
    'exact up to 30, then something else',
    exactUpTo(30, (sorted) => ({ exact: true, values: Array.from(sorted) }), mapDone(ascending, (values) => ({ exact: false, values }))), // biome-ignore format: one line
    everyday.map((value) => value + 0),
  );
});

describe('the switch from exact to sketch', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const fold = quantiles([0.5]);
  const run = (values: number[]) => values.reduce((state, value) => fold.step(state, value), fold.init());

  test('happens after 10,000 values', () => {
    expect(foldAll(fold, numbers(10_000))).toEqual({ exact: true, values: [4999.5] });
    expect(foldAll(fold, numbers(10_001)).exact).toBe(false);
  });

  test('happens by the count of both sides of a merge', () => {
    expect(fold.done(fold.merge(run(numbers(5_000)), run(numbers(5_000)))).exact).toBe(true);
    const merged = fold.done(fold.merge(run(numbers(5_000)), run(numbers(5_001))));
    expect(merged).toEqual(foldAll(fold, [...numbers(5_001), ...numbers(5_000)]));
    expect(merged.exact).toBe(false);
  });

  test('sorts numbers of every width and sign', () => {
    const whole = fc.integer({ min: -70_000, max: 70_000 });
    const halves = whole.map((value) => value / 2);
    const doubles = finite.map((value) => value + 0);
    const all = exactUpTo(100, (sorted) => Array.from(sorted), ascending);
    const lists = fc.oneof(...[whole, halves, doubles].map((value) => fc.array(value, { maxLength: 100 })));
    fc.assert(
      fc.property(lists, (values) => {
        expect(foldAll(all, values.map((value) => value + 0))).toEqual(foldAll(ascending, values.map((value) => value + 0))); // biome-ignore format: one line
      }),
    );
  });

  test('keeps numbers of every width exactly', () => {
    const values = [3, 65_535, 65_536, 0.1, -7, 2 ** 40, 1e-300, 2 ** 24 + 1];
    const all = exactUpTo(10, (sorted) => Array.from(sorted), ascending);
    expect(foldAll(all, values)).toEqual(values.toSorted((a, b) => a - b));
    expect(foldAll(all, values.toReversed())).toEqual(values.toSorted((a, b) => a - b));
  });
});

test('there is one zero, whichever width it was kept in', () => {
  for (const values of [[-0, 0.1], [0.1, -0], [-0]]) expect(foldAll(quantiles([0]), values).values).toEqual([0]);
});

describe('the sketch', () => {
  // n = 20000; w = [((i * 7919) % n) ** 2 for i in range(n)]; numpy.quantile(w, [.5, .9, .95, .99])
  test('is within half a percent of NumPy on 20,000 squares', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 20_000) ** 2);
    const at = foldAll(sketch, values);
    for (const [probability, expected] of [
      [0.5, 99990000.5],
      [0.9, 323967600.9000001],
      [0.95, 360963900.95],
      [0.99, 392000796.98999995],
    ] as const)
      expect(Math.abs(at(probability, everywhere) / expected - 1)).toBeLessThanOrEqual(SKETCH_RELATIVE_ERROR);
  });

  // n = 20000; w = [((i * 7919) % n) - 5000 for i in range(n)]; numpy.quantile(w, [.1, .5, .9, .95])
  test('is within half a percent on negative and positive numbers', () => {
    const at = foldAll(sketch, Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 20_000) - 5000)); // biome-ignore format: one line
    for (const [probability, expected] of [
      [0.1, -3000.1],
      [0.5, 4999.5],
      [0.9, 12999.1],
      [0.95, 13999.05],
    ] as const)
      expect(Math.abs(at(probability, everywhere) / expected - 1)).toBeLessThanOrEqual(SKETCH_RELATIVE_ERROR);
  });

  test('is within its error of the exact quantile for values of one sign, zeros and the ends of the doubles among them', () => {
    const normal = fc.oneof(
      fc.constant(0),
      fc.double({ min: 2 ** -1022, noNaN: true, noDefaultInfinity: true }),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(normal, { minLength: 1 }), fc.constantFrom(1, -1), (values, sign) => {
        const signed = values.map((value) => value * sign + 0);
        const sorted = signed.toSorted((a, b) => a - b);
        const extent = { min: sorted[0], max: sorted.at(-1)! };
        const at = foldAll(sketch, signed);
        for (const probability of PROBABILITIES) {
          const exact = quantile(sorted, probability);
          expect(Math.abs(at(probability, extent) - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.005_000_001);
        }
      }),
    );
  });

  test('has zeros and subnormal numbers at 0', () => {
    expect(foldAll(readSketch, [0, -0, 2 ** -1074, -(2 ** -1074)])).toEqual(PROBABILITIES.map(() => 0));
  });

  test('agrees with @datadog/sketches-js within the errors of both', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1 }), (values) => {
        const theirs = new DDSketch({ relativeAccuracy: SKETCH_RELATIVE_ERROR });
        for (const value of values) theirs.accept(value);
        const at = foldAll(sketch, values);
        // At whole ranks, where there is nothing to interpolate
        for (let rank = 0; rank < values.length; rank++) {
          const probability = values.length === 1 ? 0 : rank / (values.length - 1);
          if ((values.length - 1) * probability !== rank) continue;
          const expected = theirs.getValueAtQuantile(probability);
          expect(Math.abs(at(probability, everywhere) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 0.0101);
        }
      }),
    );
  });

  test('takes little memory, however far apart the values', () => {
    const far = [1e-300, 1e300, -1e300, 0, 5];
    const state = far.reduce((pages, value) => sketch.step(pages, value), sketch.init());
    expect(state.size).toBeLessThanOrEqual(far.length);
  });
});
