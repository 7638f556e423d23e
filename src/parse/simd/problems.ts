import {
  PROBLEM_ARRAY,
  PROBLEM_COLON,
  PROBLEM_COMMA_OR_BRACE,
  PROBLEM_COMMA_OR_BRACKET,
  PROBLEM_CONTROL_CHARACTER,
  PROBLEM_DIGIT,
  PROBLEM_ELEMENT_OR_END,
  PROBLEM_END_OF_LINE,
  PROBLEM_ESCAPE,
  PROBLEM_HEX_DIGIT,
  PROBLEM_KEY,
  PROBLEM_KEY_OR_END,
  PROBLEM_LITERAL,
  PROBLEM_UTF8,
  PROBLEM_VALUE,
} from './codes.ts';

const EXPECTED: Record<number, string> = {
  [PROBLEM_VALUE]: 'a value',
  [PROBLEM_ELEMENT_OR_END]: "a value or ']'",
  [PROBLEM_KEY_OR_END]: "a key or '}'",
  [PROBLEM_KEY]: 'a key',
  [PROBLEM_COLON]: "':'",
  [PROBLEM_COMMA_OR_BRACKET]: "',' or ']'",
  [PROBLEM_COMMA_OR_BRACE]: "',' or '}'",
  [PROBLEM_END_OF_LINE]: 'the end of the line',
  [PROBLEM_CONTROL_CHARACTER]: "'\"'",
  [PROBLEM_ESCAPE]: 'an escape',
  [PROBLEM_HEX_DIGIT]: 'a hexadecimal digit',
  [PROBLEM_DIGIT]: 'a digit',
  [PROBLEM_LITERAL]: 'true, false or null',
  [PROBLEM_ARRAY]: 'an array',
};

const NEWLINE = 0x0a;

/** Says what is wrong with a record; the column counts bytes. */
export function describeProblem(problem: number, byte: number, column: number): string {
  if (problem === PROBLEM_UTF8) return 'not valid UTF-8';
  return `not valid JSON: expected ${EXPECTED[problem]} but found ${describeByte(byte)} at column ${column}`;
}

function describeByte(byte: number): string {
  if (byte === NEWLINE) return 'the end of the line';
  if (byte > 0x20 && byte < 0x7f) return `'${String.fromCharCode(byte)}'`;
  if (byte >= 0x80) return 'a character beyond ASCII';
  return `the character U+${byte.toString(16).toUpperCase().padStart(4, '0')}`;
}
