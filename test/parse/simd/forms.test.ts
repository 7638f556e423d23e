import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParserOptions } from '../../../src/parse/parser.ts';
import { list, measured, object, type Shape, scalar, streamed, time } from '../../../src/parse/shape.ts';
import { simdParser } from '../../../src/parse/simd/index.ts';
import { numRuns } from './generate.ts';
import { inChunks, logOf, withoutVoidItems } from './log.ts';
import { pruneLines } from './prune.ts';

const LIMIT = 1 << 20;
const inner = object({ a: scalar, b: scalar, c: measured, d: object({ a: scalar, e: scalar }) });
const item: Shape = {
  ...object({ a: scalar, b: measured, c: inner, d: list(scalar), e: scalar, f: scalar, g: time }),
  stream: 'within',
  items: object({ a: scalar }),
};
const shape = object({ id: scalar, items: streamed('item', item), more: streamed('other', item) });
const options: ParserOptions = { framing: 'lines', shape, maxValueBytes: LIMIT };

const places = { firstLine: 1, firstOffset: 0 };

function agree(bytes: Buffer, sizes: number[]): void {
  const fast = logOf(simdParser, { ...options, ...places }, inChunks(bytes, sizes));
  expect(withoutVoidItems(fast)).toEqual(pruneLines(bytes, shape, LIMIT, 1, 0));
}

/** Values as a log writes them: repeated and new texts, escapes, numbers that only `Number` reads, all kinds. */
const value = fc.oneof(
  fc.constantFrom('"tool_call"', '"x"', '1', '-0', 'null', 'true', '"2026-01-05T10:00:00.000Z"', '"\\u00e9\\n"', '""'),
  fc.nat().map((n) => `"id-${n}"`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('{"a":1,"x":2}', '{"e":{"a":"b"},"a":3}', '[1,2]', '[]', '{}', '[{"a":1},{"a":2}]'),
);
const members = (keys: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 5 })
    // Keys may stand twice: the last one counts.
    .map((all) => `{${all.map(([key, text]) => `"${key}":${text}`).join(',')}}`);
const nested = fc
  .tuple(members(['a', 'b', 'e', 'x']), members(['a', 'b', 'c', 'd']))
  .map(([first, second]) => `{"a":1,"c":${second},"e":${first},"x":${second},"g":"2026-01-05T10:00:00Z"}`);
const one = fc.oneof(members(['a', 'b', 'e', 'f', 'g', 'x']), nested, value);
const record = fc
  .tuple(fc.array(one, { maxLength: 12 }), fc.array(one, { maxLength: 3 }), fc.constantFrom('', '', '', '}', ',', '"'))
  // Some records are broken behind their items, which are void then.
  .map(([items, more, broken]) => `{"id":1,"items":[${items.join(',')}],"more":[${more.join(',')}]${broken}}`);

describe('items that are built by their form', () => {
  test('are what JSON.parse makes of them', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
        (records, sizes) => agree(Buffer.from(`${records.join('\n')}\n`), sizes),
      ),
      { numRuns: numRuns(1500) },
    );
  });

  test('are so beyond the number of forms that are remembered, and over the ends of tapes and inputs', () => {
    const orders = permutations(['a', 'b', 'e', 'f', 'g', 'x']);
    const items = Array.from({ length: 3 }, () => orders)
      .flat()
      .map((keys, n) => `{${keys.map((key, i) => `"${key}":"${key}${(n + i) % 5}"`).join(',')}}`);
    expect(items.length).toBe(2160);
    const bytes = Buffer.from(`{"items":[${items.join(',')}],"id":7}\n`.repeat(40));
    expect(bytes.length).toBeGreaterThan(4_000_000);
    agree(bytes, [1_000_000, 999_983]);
  });
});

function permutations(keys: string[]): string[][] {
  if (keys.length === 0) return [[]];
  return keys.flatMap((key) => permutations(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]));
}
