import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParserOptions } from '../../../src/parse/parser.ts';
import { list, map, measured, object, type Shape, scalar, streamed, whole } from '../../../src/parse/shape.ts';
import { simdParser } from '../../../src/parse/simd/index.ts';
import { streamJsonParser } from '../../../src/parse/stream-json.ts';
import { chunkSizes, json, maxValueBytes, numRuns, shape } from './generate.ts';
import { inChunks, logOf, withoutVoidItems } from './log.ts';
import { pruneDocuments, pruneLines } from './prune.ts';

const place = { firstLine: 7, firstOffset: 5_000_000_000 };

/** A line that is not JSON, or only just. */
const oddLine = fc.oneof(
  fc.constantFrom(
    '',
    ' \t\r',
    '\ufeff',
    '\ufeff {"a":1}',
    '\ufeff\ufeff1',
    '{"a":[1,2,3],"a":',
    '{"a":1,}',
    '[1 2]',
    'nul',
    '-',
    '1.',
    '"\\x"',
    '"\\u12g4"',
    '{}}',
    '01',
    '1 1',
  ),
  fc
    .tuple(json, fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '\u0001', 'e', '0', ' '))
    .map(([text, at, insert]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + insert + text.slice(cut + (at % 2));
    }),
);
const line = fc.oneof({ weight: 3, arbitrary: json }, { weight: 1, arbitrary: oddLine });
const lines = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([all, ended]) => Buffer.from(all.join('\n') + (ended ? '\n' : '')));

describe('both parsers and JSON.parse-then-prune agree', () => {
  test('on lines, good, bad and blank', () => {
    fc.assert(
      fc.property(lines, shape, maxValueBytes, chunkSizes, (bytes, wanted, limit, sizes) => {
        const options: ParserOptions = { framing: 'lines', shape: wanted, maxValueBytes: limit, ...place };
        const expected = pruneLines(bytes, wanted, limit, place.firstLine, place.firstOffset);
        const fast = logOf(simdParser, options, inChunks(bytes, sizes));
        expect(withoutVoidItems(fast)).toEqual(expected);
        const reference = logOf(streamJsonParser, options, inChunks(bytes, sizes));
        expect(withoutVoidItems(reference)).toEqual(expected);
      }),
      { numRuns: numRuns(1200) },
    );
  });

  const gap = fc.constantFrom('\n', ' ', '\n\n \n', '\r\n');
  const pretty = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  const document = fc.oneof(json, json.map(pretty));
  const documents = (framing: 'documents' | 'elements') =>
    fc
      .tuple(
        fc.boolean(),
        fc.array(fc.tuple(fc.array(document, { maxLength: 4 }), gap, gap), { minLength: 1, maxLength: 3 }),
      )
      .map(([bom, all]) => {
        const text = all
          .map(([texts, before, after]) =>
            framing === 'documents' ? texts.join(before) + after : `[${texts.join(`${before},${after}`)}]${before}`,
          )
          .join('');
        return Buffer.from((bom ? '\ufeff' : '') + text);
      });

  test.each(['documents', 'elements'] as const)('on %s', (framing) => {
    fc.assert(
      fc.property(documents(framing), shape, maxValueBytes, chunkSizes, (bytes, wanted, limit, sizes) => {
        const options: ParserOptions = { framing, shape: wanted, maxValueBytes: limit, ...place };
        let expected: unknown;
        try {
          expected = pruneDocuments(bytes, framing, wanted, limit, place.firstLine, place.firstOffset);
        } catch {
          // A key that had handed over items stands twice: what was before it depends on how far each has come.
          for (const parser of [simdParser, streamJsonParser])
            expect(logOf(parser, options, inChunks(bytes, sizes)).at(-1)?.[0]).toBe('bad');
          return;
        }
        expect(logOf(simdParser, options, inChunks(bytes, sizes))).toEqual(expected);
        expect(logOf(streamJsonParser, options, inChunks(bytes, []))).toEqual(expected);
      }),
      { numRuns: numRuns(600) },
    );
  });
});

describe('chunk borders never change a result', () => {
  const events: Shape = object({
    type: scalar,
    id: scalar,
    note: measured,
    trajectory: object({ events: streamed('event', object({ type: scalar, n: scalar, data: whole })) }),
    tags: map(list(scalar)),
  });
  const samples: Record<string, string> = {
    record:
      '{"type":"t\\u00e9\\ud83d\\ude00","note":"é\\n😀\\ud800","skip":[{"x":[-1.5e+3,true,{}]},"\\\\",[[]]],"id":"' +
      'longer than sixteen bytes ü","trajectory":{"events":[{"type":"a","n":-12.5e1,"data":{"k":null}},{"n":0}]},"tags":{"é":["x",1]}}\r\n',
    lines:
      '\ufeff{"type":1}\n\n \t\n{"type":"x\n[1,2\nnull\n-0.5\n\ufeff\n{"trajectory":{"events":[1,2]},"trajectory":1}\n12',
    tail: '{"type":"half',
    pretty:
      '\ufeff[\n  {\n    "type": "a",\n    "id": 1.25\n  },\n  17\n, "x", {"trajectory": {"events": [\n1,2]}}]\n[]\n["é"]',
    broken: '[{"type":1}, {"type":"\\ud83d", nope}]\n[1]',
    literals: 'true false\nnull 1 2"x"[]{}[1]\n-0 tru',
    handed: '{"trajectory":{"events":[1]}}\n{"trajectory":{"events":[1]},\n "trajectory":2}\n{}',
  };

  test.each(Object.entries(samples))('for %s: every split in two, and byte by byte', (_, text) => {
    const bytes = Buffer.from(text);
    for (const framing of ['lines', 'documents', 'elements'] as const)
      for (const limit of [1 << 20, 5, 0]) {
        const options: ParserOptions = { framing, shape: events, maxValueBytes: limit };
        const expected = logOf(simdParser, options, [bytes]);
        if (framing === 'lines') expect(withoutVoidItems(expected)).toEqual(pruneLines(bytes, events, limit));
        for (let at = 0; at <= bytes.length; at++)
          expect(logOf(simdParser, options, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
        expect(logOf(simdParser, options, inChunks(bytes, [1]))).toEqual(expected);
      }
  });

  test('on any input, broken or not, in any framing', () => {
    fc.assert(
      fc.property(
        lines,
        shape,
        maxValueBytes,
        chunkSizes,
        fc.constantFrom('lines' as const, 'documents' as const, 'elements' as const),
        (bytes, wanted, limit, sizes, framing) => {
          const options: ParserOptions = { framing, shape: wanted, maxValueBytes: limit };
          const whole = logOf(simdParser, options, [bytes]);
          expect(logOf(simdParser, options, inChunks(bytes, sizes))).toEqual(whole);
        },
      ),
      { numRuns: numRuns(1200) },
    );
  });
});
