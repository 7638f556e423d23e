import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, htmlText, inertJson, inertText, markdownCode } from '../../src/render/escape.ts';
import { NAUGHTY } from './naughty.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...NAUGHTY), fc.string({ unit: loneUnits() }));

function loneUnits() {
  return fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
}

/** Everything a terminal obeys, listed apart from the code under test. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
const OBEYED = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u;

describe('terminal text', () => {
  test('an escape sequence is shown, not obeyed', () => {
    expect(inertText('\x1b[31mred')).toBe('\\u001b[31mred');
    expect(inertText('\x1b]8;;https://x\x07y')).toBe('\\u001b]8;;https://x\\u0007y');
    expect(inertText('\x9b2J')).toBe('\\u009b2J');
  });

  test('bidi controls, separators, invisible and broken characters are shown', () => {
    expect(inertText('a\u202eb\u2066c\u2028d\ud800e\u200bf')).toBe('a\\u202eb\\u2066c\\u2028d\\ud800e\\u200bf');
    expect(inertText('\u{e0041}')).toBe('\\u{e0041}');
  });

  test('letters of any script and emoji stay as they are', () => {
    for (const text of ['Grüße', '漢字', 'العربية', 'نمی‌خواهم', '👩‍👩‍👧‍👦', '❤️']) expect(inertText(text)).toBe(text);
  });

  test('no text keeps anything that a terminal obeys', () => {
    fc.assert(fc.property(anyText, (text) => !OBEYED.test(inertText(text))));
  });
});

describe('HTML text', () => {
  test('no text keeps a character that opens or closes anything', () => {
    fc.assert(fc.property(anyText, (text) => !/[<>"']|&(?!(amp|lt|gt|quot|#39);)/.test(htmlText(text))));
  });
});

describe('Markdown text', () => {
  test('a name is a code span', () => {
    expect(markdownCode('bash')).toBe('`bash`');
    expect(markdownCode('a|b`c<d')).toBe('`a\\u007cb\\u0060c\\u003cd`');
    expect(markdownCode('@octocat')).toBe('`@octocat`');
    expect(markdownCode(' ')).toBe('`""`');
  });

  test('no text can end its span, its cell or its line', () => {
    fc.assert(fc.property(anyText, (text) => /^`[^`|<\r\n]+`$/.test(markdownCode(text))));
  });
});

describe('CSV cells', () => {
  test('numbers stay numbers, even negative ones', () => {
    expect(csvCell(-1.5)).toBe('-1.5');
    expect(csvCell(1e21)).toBe('1e+21');
    expect(csvCell(null)).toBe('');
    expect(csvCell(true)).toBe('true');
  });

  test('text that would start a formula gets an apostrophe', () => {
    expect(csvCell('=1+1')).toBe("'=1+1");
    expect(csvCell('-')).toBe("'-");
    expect(csvCell('@SUM(A1,A2)')).toBe('"\'@SUM(A1,A2)"');
    expect(csvCell(' =1')).toBe("' =1");
    expect(csvCell('a=b')).toBe('a=b');
  });

  test('commas, quotes and outer blanks are quoted, and the empty string is not null', () => {
    expect(csvCell('a,b')).toBe('"a,b"');
    expect(csvCell('say "hi"')).toBe('"say ""hi"""');
    expect(csvCell(' x')).toBe('" x"');
    expect(csvCell('')).toBe('""');
  });

  test('no text starts a formula or spans two lines', () => {
    fc.assert(fc.property(anyText, (text) => !/^"?[=+\-@\t\r]|[\r\n]/.test(csvCell(text))));
  });
});

describe('JSON', () => {
  test('text comes back as it was, and is harmless to print', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = inertJson({ [text]: [text] });
        expect(OBEYED.test(json)).toBe(false);
        expect(Object.entries(JSON.parse(json))).toEqual([[text, [text]]]);
      }),
    );
  });

  test('indentation keeps its line breaks', () => {
    expect(inertJson({ a: '\u2028' }, 2)).toBe('{\n  "a": "\\u2028"\n}');
  });
});
