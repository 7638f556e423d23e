import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fold, foldAll } from '../../src/fold/fold.ts';

/** States the laws of a fold as tests: however the inputs are ordered, divided and merged, the result has the same bytes. */
export function keepsTheLaws<X, S, R>(
  name: string,
  fold: Fold<X, S, R>,
  input: fc.Arbitrary<X>,
  { maxLength = 60, numRuns = 100 } = {},
): void {
  const inputs = fc.array(input, { maxLength, size: 'max' });
  const run = (values: readonly X[]) => values.reduce((state, value) => fold.step(state, value), fold.init());
  const bytes = (result: R) => JSON.stringify(result);

  test(`${name}: merging the halves equals one pass`, () => {
    fc.assert(
      fc.property(inputs, inputs, (left, right) => {
        const whole = foldAll(fold, [...left, ...right]);
        const merged = fold.done(fold.merge(run(left), run(right)));
        expect(merged).toEqual(whole);
        expect(bytes(merged)).toBe(bytes(whole));
      }),
      { numRuns },
    );
  });

  test(`${name}: a merge with nothing changes nothing`, () => {
    fc.assert(
      fc.property(inputs, (values) => {
        const alone = bytes(foldAll(fold, values));
        expect(bytes(fold.done(fold.merge(run(values), fold.init())))).toBe(alone);
        expect(bytes(fold.done(fold.merge(fold.init(), run(values))))).toBe(alone);
      }),
      { numRuns },
    );
  });

  test(`${name}: it does not matter which halves are merged first`, () => {
    fc.assert(
      fc.property(inputs, inputs, inputs, (a, b, c) => {
        const leftFirst = fold.merge(fold.merge(run(a), run(b)), run(c));
        const rightFirst = fold.merge(run(a), fold.merge(run(b), run(c)));
        expect(bytes(fold.done(rightFirst))).toBe(bytes(fold.done(leftFirst)));
      }),
      { numRuns },
    );
  });

  test(`${name}: order, shards and the way through a worker thread do not matter`, () => {
    const dealt = inputs.chain((values) =>
      fc.record({
        values: fc.constant(values),
        shuffled: fc.shuffledSubarray(values, { minLength: values.length }),
        shards: fc.array(fc.nat({ max: 4 }), { minLength: values.length, maxLength: values.length }),
      }),
    );
    fc.assert(
      fc.property(dealt, ({ values, shuffled, shards }) => {
        const states = [0, 1, 2, 3, 4].map((shard) =>
          structuredClone(run(shuffled.filter((_, i) => shards[i] === shard))),
        );
        expect(bytes(fold.done(states.reduce(fold.merge, fold.init())))).toBe(bytes(foldAll(fold, values)));
      }),
      { numRuns },
    );
  });

  test(`${name}: a merge leaves the second state alone, then and later`, () => {
    fc.assert(
      fc.property(inputs, inputs, inputs, (a, b, c) => {
        const second = run(b);
        const before = structuredClone(second);
        c.reduce((state, value) => fold.step(state, value), fold.merge(run(a), second));
        expect(second).toEqual(before);
      }),
      { numRuns },
    );
  });

  test(`${name}: a look at the result in between changes nothing`, () => {
    fc.assert(
      fc.property(inputs, inputs, (a, b) => {
        const state = run(a);
        fold.done(state);
        const end = b.reduce((before, value) => fold.step(before, value), state);
        expect(bytes(fold.done(end))).toBe(bytes(foldAll(fold, [...a, ...b])));
      }),
      { numRuns },
    );
  });
}
