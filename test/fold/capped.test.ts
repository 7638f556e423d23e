import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byName } from '../../src/fold/by-name.ts';
import { OTHER } from '../../src/fold/capped.ts';
import { foldAll } from '../../src/fold/fold.ts';
import { hashName, LONGEST_NAME, shortName } from '../../src/fold/names.ts';
import { sum } from '../../src/fold/sum.ts';
import { tally } from '../../src/fold/tally.ts';
import { keepsTheLaws } from './laws.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const manyNames = fc.oneof(
  fc.constantFrom('', '__proto__', 'constructor', OTHER),
  fc.nat({ max: 80 }).map((i) => `name ${i}`),
);

describe('names beyond the cap', () => {
  // Up to 80 names where 3 are kept and 19 are held at most: names come and go all the time.
  keepsTheLaws('byName', byName(3, sum), fc.tuple(manyNames, fc.nat()), { maxLength: 150 });

  const inputs = fc.array(fc.tuple(manyNames, fc.nat({ max: 1000 })), { maxLength: 200, size: 'max' });

  test('leave those that are kept complete, and the total exact', () => {
    fc.assert(
      fc.property(inputs, (pairs) => {
        const { entries, cut } = foldAll(tally(5), pairs);
        const truth = new Map<string, number>();
        for (const [name, count] of pairs) truth.set(name, (truth.get(name) ?? 0) + count);
        const kept = entries.filter(([name]) => name !== OTHER);
        for (const [name, count] of kept) expect(count).toBe(truth.get(name));
        const total = (counts: Iterable<number>) => [...counts].reduce((a, b) => a + b, 0);
        expect(total(entries.map(([, count]) => count))).toBe(total(truth.values()));
        truth.delete(OTHER);
        expect(kept.length).toBe(Math.min(5, truth.size));
        expect(cut).toBe(truth.size > 5);
      }),
    );
  });

  test('never take more memory, even if none comes twice', () => {
    const fold = tally(100);
    let state = fold.init();
    let most = 0;
    for (let i = 0; i < 200_000; i++) {
      state = fold.step(state, [`tool-${i}`, 1]);
      most = Math.max(most, state.kept.size);
    }
    expect(most).toBeLessThanOrEqual(125);
    const { entries } = fold.done(state);
    expect(entries.length).toBe(101);
    expect(entries.at(-1)).toEqual([OTHER, 199_900]);
  });
});

describe('long names', () => {
  test('are cut, and stay different', () => {
    const left = `${'x'.repeat(10_000_000)}a`;
    const right = `${'x'.repeat(10_000_000)}b`;
    expect(shortName(left)).not.toBe(shortName(right));
    expect(shortName(left).length).toBeLessThan(LONGEST_NAME + 20);
    expect(shortName(left).startsWith('x'.repeat(LONGEST_NAME))).toBe(true);
  });

  test('of 200 characters are left alone', () => {
    expect(shortName('y'.repeat(200))).toBe('y'.repeat(200));
  });

  test('are cut where they are kept', () => {
    const long = 'z'.repeat(100_000);
    const { entries } = foldAll(tally(5), [
      [long, 1],
      [`${long}!`, 2],
      [long, 3],
    ]);
    expect(entries.map(([, count]) => count).sort()).toEqual([2, 4]);
    for (const [name] of entries) expect(name.length).toBeLessThan(LONGEST_NAME + 20);
  });

  test('are not cut through the middle of an emoji', () => {
    expect(shortName(`${'x'.repeat(199)}😀${'x'.repeat(10)}`)).not.toMatch(/\p{Surrogate}/u);
  });

  test('do not keep what was cut off alive', () => {
    const kept: string[] = [];
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 100; i++) kept.push(shortName(String(i).padStart(2_000_000, 'x')));
    expect(kept.length).toBe(100);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });
});

describe('the hash of a name', () => {
  test('is spread evenly, also over names that hardly differ', () => {
    const slots = new Array(16).fill(0);
    for (let i = 0; i < 16_000; i++) slots[Math.floor((hashName(`task-${i}`) / 2 ** 53) * 16)] += 1;
    // Chi-squared with 15 degrees of freedom is above 37.7 once in a thousand times.
    expect(slots.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(37.7);
  });

  test('never changes, since partial results of two versions may meet', () => {
    // cyrb53('a') and cyrb53('b') with seed 0, as published by its author
    expect(hashName('a')).toBe(7929297801672961);
    expect(hashName('b')).toBe(8684336938537663);
  });
});
