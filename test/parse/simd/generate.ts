import fc from 'fast-check';
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
  time,
} from '../../../src/parse/shape.ts';

/** Like `whole`, without its bound on depth: what refers to itself is short to print. */
const whole: { entries?: Shape; items?: Shape } = {};
whole.entries = whole;
whole.items = whole;

/** JSON as text, spelled in every way that is allowed, and shapes that fit it now and then. */

const KEYS = ['a', 'b', 'type', 'data', 'events', '__proto__', 'constructor', 'é', '😀', '', '0', 'a much longer key'];

const space = fc.constantFrom('', '', '', '', ' ', '\t', '\r', '  ', ' '.repeat(37));
const character = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.constantFrom(0x22, 0x5c, 0x2f, 0x08, 0x0c, 0x0a, 0x0d, 0x09, 0x00, 0x1f, 0x7f) },
  { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0x7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x800, max: 0xffff }) },
  { weight: 1, arbitrary: fc.constantFrom(0x2028, 0xfeff, 0xfffd, 0xffff, 0xd7ff, 0xe000) },
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
  { weight: 2, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
);
const SHORT: Record<string, string> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

function spellCharacter(point: number, way: number): string {
  const text = String.fromCodePoint(point);
  const escaped = [...Array(text.length).keys()]
    .map((at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
    .map((hex) => `\\u${way & 2 ? hex.toUpperCase() : hex}`)
    .join('');
  if (point >= 0xd800 && point <= 0xdfff) return escaped;
  if (text === '/') return way & 1 ? '\\/' : '/';
  if (point < 0x20 || text === '"' || text === '\\') return (way & 4 ? escaped : SHORT[text]) ?? escaped;
  return way === 0 ? escaped : text;
}

const spelled = (maxLength: number) =>
  fc
    .array(fc.tuple(character, fc.nat({ max: 7 })), { maxLength })
    .map((characters) => `"${characters.map(([point, way]) => spellCharacter(point, way)).join('')}"`);

const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().replace(/\.\d+/, '')),
  fc.constantFrom('2024-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-05T10:00:00+02:00', '2026-01-05', 'now'),
);
const text = fc.oneof(
  { weight: 4, arbitrary: spelled(8) },
  { weight: 1, arbitrary: spelled(120) },
  { weight: 1, arbitrary: moment.map((time) => JSON.stringify(time)) },
  { weight: 1, arbitrary: fc.tuple(spelled(3), fc.nat({ max: 90 })).map(([s, n]) => `"${s.slice(1, -1).repeat(n)}"`) },
  { weight: 1, arbitrary: fc.constantFrom('"\\\\"', '"\\\\\\""', `"${'\\\\'.repeat(40)}"`, `"${'x'.repeat(200)}\\n"`) },
);
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.nat({ max: 9 }), { minLength, maxLength }).map((list) => list.join(''));
const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.constantFrom(
    '-0',
    '0',
    '0.0',
    '-0.0e5',
    '1e400',
    '-1e400',
    '1E-400',
    '5e-324',
    '2.4703282292062327e-324',
    '1e22',
    '1e23',
  ),
  fc.constantFrom(
    '9007199254740993',
    '179769313486231580793728971405301e276',
    `0.${'0'.repeat(400)}1e401`,
    `1${'0'.repeat(900)}e-900`,
  ),
  fc
    .tuple(fc.constantFrom('', '-'), fc.nat(), digits(0, 30), fc.constantFrom('', 'e', 'E', 'e+', 'E-'), digits(1, 3))
    .map(([sign, head, fraction, e, exponent]) => `${sign}${head}${fraction && `.${fraction}`}${e && e + exponent}`),
  // Half way between two doubles, but for a digit far behind.
  digits(0, 3).map((tail) => `1.${'0'.repeat(15)}1110223024625156540423631668090820312500${'0'.repeat(760)}${tail}1`),
);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...KEYS).map((name) => JSON.stringify(name)) },
  { weight: 1, arbitrary: spelled(6) },
);

/** One JSON value on one line. */
export const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const spaced = (open: string, close: string, parts: fc.Arbitrary<string>, maxLength: number) =>
    fc
      .tuple(space, fc.array(fc.tuple(space, parts, space), { maxLength, depthIdentifier: 'json' }))
      .map(([inner, list]) => `${open}${inner}${list.map((part) => part.join('')).join(',')}${close}`);
  const member = fc
    .tuple(key, space, space, tie('value'))
    .map(([name, before, after, value]) => `${name}${before}:${after}${value}`);
  return {
    value: fc.oneof(
      { depthSize: 'medium', depthIdentifier: 'json' },
      { weight: 2, arbitrary: text },
      { weight: 2, arbitrary: number },
      { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '[]', '{}') },
      { weight: 3, arbitrary: spaced('[', ']', tie('value'), 6) },
      { weight: 4, arbitrary: spaced('{', '}', member, 8) },
    ),
  };
}).value;

const counted = folded({
  init: () => ({ units: 0, sum: 0 }),
  step: (state, piece) => {
    for (let at = 0; at < piece.length; at++) state.sum = (state.sum * 31 + piece.charCodeAt(at)) | 0;
    state.units += piece.length;
    return state;
  },
  done: (state) => ({ ...state }),
});

export const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'medium' },
    { weight: 2, arbitrary: fc.constantFrom(whole, scalar, measured, counted, time, streamed('all', whole)) },
    {
      weight: 5,
      arbitrary: fc.dictionary(fc.constantFrom(...KEYS), tie('shape'), { noNullPrototype: true }).map(object),
    },
    { weight: 2, arbitrary: tie('shape').map(map) },
    { weight: 2, arbitrary: tie('shape').map(list) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom('x', 'y'), tie('shape')).map(([name, items]) => streamed(name, items)),
    },
    { weight: 4, arbitrary: fc.tuple(tie('shape'), tie('shape')).map((both) => either(...both)) },
  ),
})).shape;

export const maxValueBytes = fc.oneof(fc.constant(1 << 20), fc.nat({ max: 12 }), fc.nat({ max: 300 }));
export const chunkSizes: fc.Arbitrary<number[]> = fc.oneof(
  fc.constant([] as number[]),
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 }),
);

/** `FUZZ=20 npx vitest run test/parse/simd` looks twenty times as long. */
export const numRuns = (count: number): number => count * Number(process.env.FUZZ ?? 1);
