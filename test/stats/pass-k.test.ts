import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passAtK } from '../../src/stats/pass-at-k.ts';
import { passHatK } from '../../src/stats/pass-hat-k.ts';

/** All ways to choose k of the items. */
function choices<T>(items: T[], k: number): T[][] {
  if (k === 0) return [[]];
  return items.flatMap((item, i) => choices(items.slice(i + 1), k - 1).map((rest) => [item, ...rest]));
}

const share = <T>(of: T[], holds: (item: T) => boolean) => of.filter(holds).length / of.length;

const cases = fc
  .record({ trials: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), seed: fc.nat() })
  .map(({ trials, seed }) => ({ trials, k: 1 + (seed % trials.length) }));

describe('with every choice of k trials counted out', () => {
  test('pass@k is the share in which one passed', () => {
    fc.assert(
      fc.property(cases, ({ trials, k }) => {
        const passed = trials.filter(Boolean).length;
        const counted = share(choices(trials, k), (chosen) => chosen.some(Boolean));
        expect(passAtK(trials.length, passed, k)).toBeCloseTo(counted, 12);
      }),
    );
  });

  test('pass^k is the share in which all passed', () => {
    fc.assert(
      fc.property(cases, ({ trials, k }) => {
        const passed = trials.filter(Boolean).length;
        const counted = share(choices(trials, k), (chosen) => chosen.every(Boolean));
        expect(passHatK(trials.length, passed, k)).toBeCloseTo(counted, 12);
      }),
    );
  });
});

test('3 of 4 passed: pass@2 = 1 − 0/6, pass^2 = 3/6, pass^3 = 1/4, pass^4 = 0', () => {
  expect(passAtK(4, 3, 1)).toBe(0.75);
  expect(passAtK(4, 3, 2)).toBe(1);
  expect(passHatK(4, 3, 2)).toBeCloseTo(0.5, 15);
  expect(passHatK(4, 3, 3)).toBeCloseTo(0.25, 15);
  expect(passHatK(4, 3, 4)).toBe(0);
});

test('many trials do not overflow', () => {
  // 1 − 199990/200000 · 199989/199999 and 10/200000 · 9/199999
  expect(passAtK(200_000, 10, 2)).toBeCloseTo(1 - (199_990 / 200_000) * (199_989 / 199_999), 15);
  expect(passHatK(200_000, 10, 2)).toBeCloseTo((10 / 200_000) * (9 / 199_999), 18);
});
