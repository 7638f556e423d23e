import { expect, test } from 'vitest';
import { bytes, compact, decimal, dollars, duration, percent, plural, whole } from '../../src/render/units.ts';

function shown(format: (value: number) => string, cases: [number, string][]) {
  for (const [value, text] of cases) expect([value, format(value)]).toEqual([value, text]);
}

test('counts are exact while short', () => {
  shown(compact, [
    [0, '0'],
    [3.42, '3.4'],
    [0.04, '0'],
    [142.6, '143'],
    [9_870, '9,870'],
    [9_999.6, '10.0 k'],
    [12_345, '12.3 k'],
    [123_456, '123 k'],
    [999_499, '999 k'],
    [999_600, '1.0 M'],
    [1_234_567, '1.2 M'],
    [3.2e9, '3.2 B'],
    [-12_345, '-12.3 k'],
    [1e300, '1.0e+300'],
    [Number.NEGATIVE_INFINITY, '-∞'],
    [9_007_199_254_740_992, '9.0 Q'],
  ]);
  shown(whole, [[1_234_567, '1,234,567']]);
  expect(decimal(0.5, 3)).toBe('0.5');
  expect(decimal(100, 0)).toBe('100');
  expect(decimal(-0.001, 1)).toBe('0');
  expect(decimal(1e22, 2)).toBe('1.0e+22');
  expect(plural(1, 'file')).toBe('1 file');
  expect(plural(0, 'trajectory', 'trajectories')).toBe('0 trajectories');
});

test('durations carry over when they round', () => {
  shown(duration, [
    [0, '0 ms'],
    [0.42, '0.4 ms'],
    [853, '853 ms'],
    [999.6, '1.0 s'],
    [12_400, '12.4 s'],
    [59_960, '1m 00s'],
    [173_000, '2m 53s'],
    [3_599_600, '1h 00m'],
    [11_100_000, '3h 05m'],
    [187_200_000, '2d 04h'],
    [-5, '-5 ms'],
    [1e300, '1.2e+292 d'],
    [Number.POSITIVE_INFINITY, '∞ d'],
  ]);
});

test('small prices keep two digits that matter', () => {
  shown(dollars, [
    [0, '$0'],
    [0.0034, '$0.0034'],
    [0.00000012, '$0.00000012'],
    [0.0996, '$0.10'],
    [0.34, '$0.34'],
    [12, '$12.00'],
    [1_234.4, '$1,234'],
    [1_234_567, '$1.2 M'],
    [-0.34, '-$0.34'],
  ]);
});

test('a share is nothing or everything only when it is', () => {
  shown(percent, [
    [0, '0 %'],
    [0.0001, '<0.1 %'],
    [0.853, '85.3 %'],
    [0.6, '60.0 %'],
    [0.99999, '>99.9 %'],
    [1, '100 %'],
  ]);
});

test('bytes are decimal', () => {
  shown(bytes, [
    [412, '412 B'],
    [38_214_902, '38.2 MB'],
    [1.2e12, '1.2 TB'],
  ]);
});
