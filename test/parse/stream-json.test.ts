import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Framing, ParserOptions, RecordPlace } from '../../src/parse/parser.ts';
import {
  either,
  folded,
  list,
  map,
  measured,
  object,
  type Shape,
  scalar,
  streamed,
  whole,
} from '../../src/parse/shape.ts';
import { streamJsonParser } from '../../src/parse/stream-json.ts';
import { bytesOf, pieces } from '../support.ts';

type Call = [kind: string, ...what: unknown[]];

/** All that a parser calls, in order. */
function calls(
  text: string | Uint8Array,
  framing: Framing,
  shape: Shape,
  cuts: number[] = [],
  options: Partial<ParserOptions> = {},
): Call[] {
  const seen: Call[] = [];
  const parser = streamJsonParser(
    { framing, shape, maxValueBytes: 1 << 20, ...options },
    {
      item: (stream, value) => seen.push(['item', stream, value]),
      record: (value, place, cut) => seen.push(['record', value, place, cut]),
      bad: (message, place) => seen.push(['bad', message, place]),
      blank: (lines) => seen.push(['blank', lines]),
      tail: (bytes, place) => seen.push(['tail', bytes, place]),
    },
  );
  for (const chunk of pieces(bytesOf(text), cuts)) parser.write(chunk);
  parser.end();
  return seen;
}

const values = (text: string, framing: Framing, shape: Shape) =>
  calls(text, framing, shape).map(([kind, ...what]) => (kind === 'item' ? [what[0], what[1]] : what[0]));
const value = (text: string, shape: Shape) => values(text, 'documents', shape).at(-1);
const place = (line: number, offset: number, index: number | null = null): RecordPlace => ({ line, offset, index });
const letters = {
  init: () => 0,
  step: (count: number, piece: string) => count + piece.length,
  done: (count: number) => `${count} letters`,
};

describe('a shape', () => {
  test.each<[string, Shape, unknown, unknown]>([
    ['scalars are kept', scalar, 1.5, 1.5],
    ['strings are kept', scalar, 'é😀', 'é😀'],
    ['null, true and false are kept', list(scalar), [null, true, false], [null, true, false]],
    ['of an object that is not wanted only its kind', scalar, { a: 1 }, {}],
    ['of an array that is not wanted only its kind', scalar, [1, 2], []],
    [
      'wanted members are kept, and the others are not built',
      object({ a: scalar, b: object({ c: scalar }) }),
      { x: [1], b: { c: 2, d: 3 }, a: 1 },
      { b: { c: 2 }, a: 1 },
    ],
    ['members that are not there are not there', object({ a: scalar }), {}, {}],
    ['a member may be of another kind', object({ a: object({ b: scalar }) }), { a: [{ b: 1 }] }, { a: [] }],
    ['a map keeps every member', map(scalar), { a: 1, constructor: 2, b: {} }, { a: 1, constructor: 2, b: {} }],
    [
      'an object finds nothing in its prototype',
      object({ a: scalar }),
      { constructor: 1, toString: 2, a: 3 },
      { a: 3 },
    ],
    ['a list keeps every element', list(object({ a: scalar })), [{ a: 1, b: 2 }, 5, [6], 'x'], [{ a: 1 }, 5, [], 'x']],
    ['a measured string is its length', measured, 'é😀x', { length: 4 }],
    ['what is no string is not measured', list(measured), ['', 5, null], [{ length: 0 }, 5, null]],
    ['a folded string is what the fold makes of it', folded(letters), 'abc', '3 letters'],
    ['either of two', list(either(measured, object({ a: scalar }))), ['ab', { a: 1, b: 2 }], [{ length: 2 }, { a: 1 }]],
    ['the whole', whole, { a: [{ b: [1, 'x', null] }], c: {} }, { a: [{ b: [1, 'x', null] }], c: {} }],
  ])('%s', (_, shape, given, expected) => {
    expect(value(JSON.stringify(given), shape)).toEqual(expected);
  });

  test('__proto__ is a name like any other', () => {
    const found = value('{"__proto__":{"x":1},"y":2}', whole) as object;
    expect(Object.keys(found)).toEqual(['__proto__', 'y']);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  test('streamed items come one by one before the record, and are not kept', () => {
    const shape = object({ id: scalar, events: streamed('event', object({ n: scalar })) });
    expect(values('{"events":[{"n":1,"x":2},{"n":2},3],"id":"a"}', 'documents', shape)).toEqual([
      ['event', { n: 1 }],
      ['event', { n: 2 }],
      ['event', 3],
      { events: [], id: 'a' },
    ]);
  });

  test('items within items come before the item that holds them', () => {
    const shape = object({ steps: streamed('step', object({ messages: streamed('message', scalar) })) });
    expect(values('{"steps":[{"messages":[1,2]},{"messages":[3]}]}', 'documents', shape)).toEqual([
      ['message', 1],
      ['message', 2],
      ['step', { messages: [] }],
      ['message', 3],
      ['step', { messages: [] }],
      { steps: [] },
    ]);
  });

  test('the record itself may be the stream', () => {
    expect(values('[1,2]', 'documents', streamed('x', scalar))).toEqual([['x', 1], ['x', 2], []]);
  });

  test('of a key that stands twice the last one counts, unless its items are out already', () => {
    expect(value('{"a":1,"a":2}', object({ a: scalar }))).toEqual({ a: 2 });
    const seen = calls('{"a":[1],"a":[2]}', 'documents', object({ a: streamed('x', scalar) }));
    expect(seen.map(([kind]) => kind)).toEqual(['item', 'bad']);
  });

  test('texts are cut between characters, and the cuts are counted', () => {
    const seen = calls('["aé😀z","ok",{"keykeykey":1}]', 'documents', whole, [], { maxValueBytes: 4 });
    expect(seen).toEqual([['record', ['aé', 'ok', { keyk: 1 }], place(1, 0), 2]]);
  });

  test('measured and folded texts are never cut', () => {
    expect(calls('["aaaaaaaa"]', 'documents', list(measured), [], { maxValueBytes: 2 })[0].slice(1)).toEqual([
      [{ length: 8 }],
      place(1, 0),
      0,
    ]);
  });
});

describe('lines', () => {
  test('each is a record with its place', () => {
    expect(calls('{"a":1}\n\r\n  \n[2]\r\n"é"\n7', 'lines', whole)).toEqual([
      ['record', { a: 1 }, place(1, 0), 0],
      ['blank', 1],
      ['blank', 1],
      ['record', [2], place(4, 13), 0],
      ['record', 'é', place(5, 18), 0],
      ['record', 7, place(6, 23), 0],
    ]);
  });

  test.each([
    '{',
    '{"a":}',
    '[1,]',
    '{"a":1}}',
    '1 2',
    'nul',
    '01',
    '"\t"',
    "{'a':1}",
    '{"a":1} x',
    '\u00a0',
    '[1 2]',
    '+1',
    '.5',
    '1.',
    'NaN',
    '"\\x"',
    '{"a" 1}',
    '\u0000',
  ])('a line of %j is bad, and costs only itself', (bad) => {
    const seen = calls(`1\n${bad}\n2\n`, 'lines', whole);
    expect(seen.map(([kind]) => kind)).toEqual(['record', 'bad', 'record']);
    expect(seen[1][2]).toEqual(place(2, 2));
    expect(seen[1][1]).toMatch(/^not valid JSON: /);
    expect(seen[2][2]).toMatchObject({ line: 3 });
  });

  test('bytes that are no UTF-8 are bad', () => {
    const seen = calls(Buffer.concat([Buffer.from('"a'), Buffer.from([0xff]), Buffer.from('"\n1\n')]), 'lines', whole);
    expect(seen).toEqual([
      ['bad', 'not valid UTF-8', place(1, 0)],
      ['record', 1, place(2, 5), 0],
    ]);
  });

  test('an unfinished last line is a tail, and a finished one is a record', () => {
    expect(calls('1\n{"a":', 'lines', whole)[1]).toEqual(['tail', 5, place(2, 2)]);
    expect(calls('1\n{"a":2}', 'lines', whole)[1]).toEqual(['record', { a: 2 }, place(2, 2), 0]);
    expect(calls('1\n  ', 'lines', whole)[1]).toEqual(['blank', 1]);
    expect(calls('1\n', 'lines', whole)).toHaveLength(1);
    expect(calls('', 'lines', whole)).toEqual([]);
  });

  test('a byte-order mark may stand before any line, and nowhere else', () => {
    expect(calls('\ufeff1\n\ufeff2\n', 'lines', whole).map(([kind, what]) => [kind, what])).toEqual([
      ['record', 1],
      ['record', 2],
    ]);
    expect(calls('[\ufeff1]\n', 'lines', whole)[0][0]).toBe('bad');
  });

  test('lines may be counted from elsewhere', () => {
    expect(calls('1\n2\n', 'lines', whole, [], { firstLine: 10, firstOffset: 100 }).map((call) => call[2])).toEqual([
      place(10, 100),
      place(11, 102),
    ]);
  });
});

describe('elements and documents', () => {
  test('elements have their position in the array, and arrays may follow one another', () => {
    expect(calls('[1,\n{"a":2}]\n[3]', 'elements', whole)).toEqual([
      ['record', 1, place(1, 0, 0), 0],
      ['record', { a: 2 }, place(2, 4, 1), 0],
      ['record', 3, place(3, 13, 0), 0],
    ]);
  });

  test('documents may follow one another, with or without a newline', () => {
    expect(values('{"a":1}{"a":2}\n\n[3]4 "x"', 'documents', whole)).toEqual([{ a: 1 }, { a: 2 }, [3], 4, 'x']);
  });

  test('what is no array has no elements', () => {
    expect(calls('{"a":1}', 'elements', whole).map(([kind]) => kind)).toEqual(['bad']);
  });

  test('after an error the rest is let pass, and what was complete stays', () => {
    expect(
      calls('[1,\n2,\noops,3]\n[4]', 'elements', whole).map(([kind, what]) => [kind, kind === 'record' ? what : null]),
    ).toEqual([
      ['record', 1],
      ['record', 2],
      ['bad', null],
    ]);
  });

  test('an end in the middle is a tail', () => {
    expect(calls('[1,2', 'elements', whole).at(-1)?.[0]).toBe('tail');
    expect(calls('{"a":[', 'documents', whole)).toEqual([['tail', 6, place(1, 0)]]);
    expect(calls('[1]\n{"a"', 'documents', whole)).toEqual([
      ['record', [1], place(1, 0), 0],
      ['tail', 4, place(2, 4)],
    ]);
    expect(calls('[]', 'elements', whole)).toEqual([]);
  });
});

describe('against JSON.parse', () => {
  /** The shape's meaning, on a value that is there as a whole. */
  function prune(given: unknown, shape: Shape): unknown {
    if (Array.isArray(given)) return shape.items ? given.map((item) => prune(item, shape.items!)) : [];
    if (typeof given === 'string') return shape.length ? { length: given.length } : given;
    if (typeof given !== 'object' || given === null) return given;
    const kept = Object.entries(given).flatMap(([key, member]) => {
      const wanted =
        (shape.fields && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined) ?? shape.entries;
      return wanted ? [[key, prune(member, wanted)]] : [];
    });
    return Object.fromEntries(kept);
  }
  const json = fc.jsonValue({ maxDepth: 4 }).map((one) => JSON.parse(JSON.stringify(one)));
  const shape = fc.letrec<{ shape: Shape }>((tie) => ({
    shape: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(scalar, measured, whole),
      tie('shape').map(list),
      tie('shape').map(map),
      fc.dictionary(fc.string({ maxLength: 1 }), tie('shape'), { maxKeys: 3 }).map(object),
    ),
  })).shape;
  const cuts = fc.array(fc.nat({ max: 300 }), { maxLength: 8 });

  test('a record is what JSON.parse gives, pruned, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), shape, cuts, (list, wanted, at) => {
        const expected = list.map((one) => prune(one, wanted));
        const lines = list.map((one) => `${JSON.stringify(one)}\n`).join('');
        const found = (text: string, framing: Framing) =>
          calls(text, framing, wanted, at)
            .filter(([kind]) => kind === 'record')
            .map(([, record]) => record);
        expect(found(lines, 'lines')).toEqual(expected);
        expect(found(lines, 'documents')).toEqual(expected);
        expect(found(JSON.stringify(list, null, 1), 'elements')).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test('any text is taken or refused as JSON.parse does it', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '1e5',
      'e',
      '.',
      'true',
      'null',
      'tru',
      ' ',
      '\\u00e9',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 7 }), (tokens) => {
        const text = tokens.join('');
        fc.pre(text.trim() !== '');
        let expected: unknown[];
        try {
          expected = ['record', JSON.parse(text)];
        } catch {
          expected = ['bad'];
        }
        const [call] = calls(`${text}\n`, 'lines', whole);
        expect(call.slice(0, expected.length)).toEqual(expected);
      }),
      { numRuns: 1500 },
    );
  });
});
