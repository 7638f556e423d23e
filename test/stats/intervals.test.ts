import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusteredInterval } from '../../src/stats/clustered-interval.ts';
import { clusteredStandardError } from '../../src/stats/clustered-standard-error.ts';
import { gammaRatio } from '../../src/stats/gamma-ratio.ts';
import { studentTQuantile, studentTUpperTail } from '../../src/stats/student-t-quantile.ts';
import { wilsonInterval } from '../../src/stats/wilson-interval.ts';

// python3 -c 'from scipy import stats; print(stats.binomtest(k, n).proportion_ci(method="wilson"))'
test.each([
  [0, 10, 0, 0.27753279986288926],
  [10, 10, 0.7224672001371109, 1],
  [7, 12, 0.31951131254954973, 0.8067396863412435],
  [1, 1, 0.20654931437723745, 1],
  [999, 1000, 0.9943574414020421, 0.9998234536293739],
])("Wilson's interval for %i of %i agrees with SciPy", (successes, count, low, high) => {
  const interval = wilsonInterval(successes, count);
  expect(interval.low).toBeCloseTo(low, 13);
  expect(interval.high).toBeCloseTo(high, 13);
});

// python3 -c 'from scipy.special import poch; print(poch(x, 0.5))'
test.each([
  [0.5, 0.5641895835477564],
  [1, 0.8862269254527579],
  [3.5, 1.80540666735282],
  [99, 9.937319379547397],
  [100, 9.987507861262024],
])('Γ(x + ½)/Γ(x) at %d agrees with SciPy', (x, ratio) => {
  expect(gammaRatio(x) / ratio).toBeCloseTo(1, 13);
});

describe("Student's t", () => {
  // python3 -c 'from scipy import stats; print(stats.t.ppf(p, df))', some of them checked with 40 digits of mpmath
  test.each([
    [0.975, 1, 12.706204736174692],
    [0.975, 2, 4.302652729749462],
    [0.975, 3, 3.1824463052837078],
    [0.975, 10, 2.228138851986274],
    [0.975, 29, 2.045229642132703],
    [0.975, 100, 1.9839715185235518],
    [0.975, 999, 1.9623414611334495],
    [0.975, 49999, 1.9600114320426525],
    [0.975, 1e6, 1.959966356814107],
    [0.95, 7, 1.8945786050900062],
    [0.9995, 1, 636.6192487687897],
    [0.9999999, 3, 222.57159098625124],
    [0.6, 12, 0.25903274567688733],
    [0.51, 2.5, 0.02764384133184011],
    [0.025, 8, -2.3060041352041662],
    [0.995, 0.5, 4113.964588804174],
  ])('at %d with %d degrees of freedom agrees with SciPy', (probability, degrees, expected) => {
    expect(Math.abs(studentTQuantile(probability, degrees) / expected - 1)).toBeLessThan(1e-11);
  });

  test('has its median at 0 and refuses what is no probability', () => {
    expect(studentTQuantile(0.5, 4)).toBe(0);
    for (const probability of [0, 1, -1, Number.NaN])
      expect(() => studentTQuantile(probability, 4)).toThrow(RangeError);
    expect(() => studentTQuantile(0.9, 0)).toThrow(RangeError);
  });

  test('leaves the wanted probability above its quantile', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 0.9999, noNaN: true }),
        fc.integer({ min: 1, max: 5000 }),
        (p, degrees) => {
          expect(studentTUpperTail(studentTQuantile(p, degrees), degrees)).toBeCloseTo(1 - p, 12);
        },
      ),
    );
  });
});

describe('the clustered standard error', () => {
  test('of the worked example is sqrt(1.5 · 78/9) / 12', () => {
    const clusters = [
      { sum: 3, count: 4 },
      { sum: 0, count: 4 },
      { sum: 4, count: 4 },
    ];
    expect(clusteredStandardError(clusters)).toBeCloseTo(Math.sqrt(13) / 12, 15); // 0.30046…
    expect(clusteredStandardError(clusters)!.toFixed(5)).toBe('0.30046');
    // t(0.975, 2) = 4.3027 makes the interval wider than [0, 1]
    expect(clusteredInterval(7 / 12, Math.sqrt(13) / 12, 3)).toEqual({ low: 0, high: 1 });
  });

  test('of single trials is that of a sample mean', () => {
    // s / sqrt(n) of 1 1 0 1 0: s² = 0.3
    const clusters = [1, 1, 0, 1, 0].map((sum) => ({ sum, count: 1 }));
    expect(clusteredStandardError(clusters)).toBeCloseTo(Math.sqrt(0.3 / 5), 15);
  });

  test('is exactly 0 where all clusters have the same mean, even one that no double can hold', () => {
    const clusters = Array.from({ length: 7 }, () => ({ sum: 1, count: 49 }));
    expect(clusteredStandardError(clusters)).toBe(0);
  });

  test('needs two clusters, and empty ones do not count', () => {
    expect(clusteredStandardError([{ sum: 3, count: 4 }])).toBeNull();
    expect(
      clusteredStandardError([
        { sum: 3, count: 4 },
        { sum: 0, count: 0 },
      ]),
    ).toBeNull();
  });

  test('counts equal clusters as often as told, and does not depend on their order', () => {
    const one = { sum: 1, count: 3 };
    const two = { sum: 2, count: 2 };
    const spelledOut = clusteredStandardError([one, two, one, one, two]);
    expect(
      clusteredStandardError([
        { ...two, times: 2 },
        { ...one, times: 3 },
      ]),
    ).toBe(spelledOut);
  });
});

test('a clustered interval is value ± t · SE', () => {
  // t(0.975, 10) = 2.228138851986274 (SciPy)
  const { low, high } = clusteredInterval(0.5, 0.1, 11);
  expect(low).toBeCloseTo(0.5 - 0.2228138851986274, 12);
  expect(high).toBeCloseTo(0.5 + 0.2228138851986274, 12);
});
