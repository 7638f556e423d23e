import { Problem } from './codes.ts';

const EXPECTED: Record<number, string> = {
  [Problem.Value]: 'a value',
  [Problem.ElementOrEnd]: "a value or ']'",
  [Problem.KeyOrEnd]: "a key or '}'",
  [Problem.Key]: 'a key',
  [Problem.Colon]: "':'",
  [Problem.CommaOrBracket]: "',' or ']'",
  [Problem.CommaOrBrace]: "',' or '}'",
  [Problem.EndOfLine]: 'the end of the line',
  [Problem.ControlCharacter]: "'\"'",
  [Problem.Escape]: 'an escape',
  [Problem.HexDigit]: 'a hexadecimal digit',
  [Problem.Digit]: 'a digit',
  [Problem.Literal]: 'true, false or null',
  [Problem.Array]: 'an array',
};

const NEWLINE = 0x0a;

/** Says what is wrong with a record; the column counts bytes. */
export function describeProblem(problem: number, byte: number, column: number): string {
  if (problem === Problem.Utf8) return 'not valid UTF-8';
  return `not valid JSON: expected ${EXPECTED[problem]} but found ${describeByte(byte)} at column ${column}`;
}

function describeByte(byte: number): string {
  if (byte === NEWLINE) return 'the end of the line';
  if (byte > 0x20 && byte < 0x7f) return `'${String.fromCharCode(byte)}'`;
  if (byte >= 0x80) return 'a character beyond ASCII';
  return `the character U+${byte.toString(16).toUpperCase().padStart(4, '0')}`;
}
