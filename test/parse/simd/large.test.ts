import { expect, test } from 'vitest';
import type { ParserOptions } from '../../../src/parse/parser.ts';
import { either, folded, list, map, measured, type Shape, scalar, streamed, whole } from '../../../src/parse/shape.ts';
import { simdParser } from '../../../src/parse/simd/index.ts';
import { logOf } from './log.ts';

/** Sizes that no buffer holds at once. */
const LENGTH = 5_000_000;

const options = (shape: Shape, maxValueBytes = 1 << 20): ParserOptions => ({ framing: 'lines', shape, maxValueBytes });

function* text(head: string, body: string, length: number, tail: string): Iterable<Uint8Array> {
  yield Buffer.from(head);
  const chunk = Buffer.from(body.repeat(Math.ceil(100_000 / body.length)));
  const pieces = Math.floor(length / chunk.length);
  for (let piece = 0; piece < pieces; piece++) yield chunk;
  yield Buffer.from(tail);
}

function only(shape: Shape, chunks: Iterable<Uint8Array>, maxValueBytes?: number): unknown[] {
  const calls = logOf(simdParser, options(shape, maxValueBytes), chunks);
  expect(calls.length).toBe(1);
  return calls[0];
}

test('five million levels that nobody wants', () => {
  const deep = (open: string, close: string) => [
    Buffer.from(`[${open.repeat(LENGTH)}`),
    Buffer.from(`1${close.repeat(LENGTH)}]\n`),
  ];
  expect(only(scalar, deep('[', ']')).slice(0, 2)).toEqual(['record', []]);
  expect(only(scalar, deep('{"a":', '}')).slice(0, 2)).toEqual(['record', []]);
  expect(only(scalar, deep('[{"a":', '}]')).slice(0, 2)).toEqual(['record', []]);
  expect(only(scalar, [...deep('[{"a":', '}]}')])[0]).toBe('bad');
  expect(only(scalar, deep('[', ']').slice(0, 1))[0]).toBe('tail');
});

test('many levels that are wanted', () => {
  const levels = 200_000;
  const endless: { entries?: Shape; items?: Shape } = {};
  endless.entries = endless;
  endless.items = endless;
  const [, value] = only(endless, [Buffer.from(`${'[{"a":'.repeat(levels)}7${'}]'.repeat(levels)}\n`)]);
  let inner = value;
  for (let level = 0; level < levels; level++) inner = (inner as [{ a: unknown }])[0].a;
  expect(inner).toBe(7);
});

test('a long string is cut, measured, folded or passed', () => {
  const counts = folded({ init: () => 0, step: (sum, piece) => sum + piece.split('€').length - 1, done: (sum) => sum });
  for (const [body, units] of [
    ['abcdefghi€', 10],
    ['\\u20ac\\ud83d\\ude00', 3],
  ] as const) {
    const chunks = [...text('["', body, LENGTH, '"]\n')];
    const count = chunks.slice(1, -1).reduce((sum, chunk) => sum + chunk.length, 0) / Buffer.byteLength(body);
    expect(only(list(measured), chunks)[1]).toEqual([{ length: count * units }]);
    expect(only(list(counts), chunks)[1]).toEqual([count]);
    expect(only(scalar, chunks)[1]).toEqual([]);
    const [, [kept], , cut] = only(list(scalar), chunks, 1_000_001) as [string, string[], unknown, number];
    expect(cut).toBe(1);
    const whole = JSON.parse(`"${body.repeat(200_000)}"`) as string;
    expect(whole.startsWith(kept)).toBe(true);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(1_000_001 - 4);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(1_000_001);
    const [, [all], , none] = only(list(scalar), chunks, 1 << 30) as [string, string[], unknown, number];
    expect([all.length, none]).toEqual([count * units, 0]);
  }
});

test('a long key is cut or passed', () => {
  const chunks = [...text('{"', 'k€', LENGTH, '":1}\n')];
  const [, value, , cut] = only(map(scalar), chunks, 70_000) as [string, Record<string, number>, unknown, number];
  expect([Object.keys(value)[0], cut]).toEqual(['k€'.repeat(17_500), 1]);
  expect(only(scalar, chunks, 70_000).slice(1)).toEqual([{}, { line: 1, offset: 0, index: null }, 1]);
  expect(
    only(list(scalar), [Buffer.from('[{"a":{"'), ...chunks.slice(1, -1), Buffer.from('":1}}]\n')]).slice(1, 2),
  ).toEqual([[{}]]);
});

test('a number of millions of digits is rounded correctly', () => {
  expect(only(list(scalar), text('[1', '1', LENGTH, ',2]\n'))[1]).toEqual([Number.POSITIVE_INFINITY, 2]);
  expect(only(list(scalar), text('[0.1', '1', LENGTH, ',2]\n'))[1]).toEqual([0.1111111111111111, 2]);
  expect(only(list(scalar), text('[0.', '0', LENGTH, '12e5000001]\n'))[1]).toEqual([1.2]);
  expect(only(list(scalar), text('[1', '0', LENGTH, 'e-5000000]\n'))[1]).toEqual([1]);
  expect(only(scalar, text('[1', '1', LENGTH, ',2]\n'))[1]).toEqual([]);
  // Just above the middle of two doubles, as only the last digit tells.
  const tie = '1.00000000000000011102230246251565404236316680908203125';
  expect(only(list(scalar), text(`[${tie}`, '0', LENGTH, '1]\n'))[1]).toEqual([1 + Number.EPSILON]);
  expect(only(list(scalar), text(`[${tie}`, '0', LENGTH, ']\n'))[1]).toEqual([1]);
});

test('a million items, handed over one by one', () => {
  let items = 0;
  let records = 0;
  const sink = {
    item: () => {
      items++;
    },
    record: (value: unknown) => {
      records++;
      expect(value).toEqual([]);
    },
    bad: () => {},
    blank: () => {},
    tail: () => {},
  };
  const parser = simdParser(options(either(streamed('x', whole))), sink);
  for (const chunk of text('[0', ',{"n":[1,true]}', 16_000_000, ']\n')) parser.write(chunk);
  parser.end();
  expect([items, records]).toEqual([1 + 159 * Math.ceil(100_000 / 15), 1]);
});
