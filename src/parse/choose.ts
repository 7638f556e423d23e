import type { MakeParser } from './parser.ts';

export const PARSERS = ['stream-json'] as const;
export type ParserName = (typeof PARSERS)[number];

/** Loaded only when chosen: each parser brings a library that the other does not need. */
export async function chooseParser(_name?: ParserName): Promise<MakeParser> {
  return (await import('./stream-json.ts')).streamJsonParser;
}
