import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, shorten } from '../../src/render/width.ts';
import { NAUGHTY } from './naughty.ts';

test('CJK and emoji are two columns wide, marks none', () => {
  const widths: [string, number][] = [
    ['abc', 3],
    ['漢字', 4],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👍', 2],
    ['👍🏽', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['1️⃣', 2],
    ['████', 4],
    ['├──●──┤', 7],
    ['𠀀', 2],
    ['', 0],
  ];
  for (const [text, width] of widths) expect([text, displayWidth(text)]).toEqual([text, width]);
});

test('a text that fits is not touched, and one that does not is cut where asked', () => {
  expect(shorten('short', 5)).toBe('short');
  expect(shorten('a long name', 6)).toBe('a lon…');
  expect(shorten('results/part-01.jsonl:7', 11, 'middle')).toBe('resul…onl:7');
  expect(shorten('漢字漢字', 4)).toBe('漢…');
  expect(shorten('abc', 1)).toBe('…');
  expect(shorten('abc', 0)).toBe('');
});

test('nothing is wider than asked', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constantFrom(...NAUGHTY));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('end' as const, 'middle' as const),
      (t, w, cut) => displayWidth(shorten(t, w, cut)) <= w,
    ),
  );
});
