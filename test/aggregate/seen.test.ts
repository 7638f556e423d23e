import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Seen } from '../../src/aggregate/seen.ts';

const identity = (key: number) => ({ key, path: 'x', line: 1, index: null, id: 'x' });

test('a key is seen again exactly when it was seen before, as a Set would say', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 2 ** 40 })), { maxLength: 3000 }), (keys) => {
      const seen = new Seen();
      const known = new Set<number>();
      for (const key of keys) {
        expect(seen.again(identity(key))).toBe(known.has(key));
        known.add(key);
      }
    }),
  );
});
