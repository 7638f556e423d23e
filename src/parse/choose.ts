import type { MakeParser } from './parser.ts';

export const PARSERS = ['simd', 'stream-json'] as const;
export type ParserName = (typeof PARSERS)[number];

/** The fast parser wherever WebAssembly SIMD is to be had. Loaded only when chosen: each brings what the other does not need. */
export async function chooseParser(name?: ParserName): Promise<MakeParser> {
  if (name !== 'stream-json') {
    const { simdAvailable, simdParser } = await import('./simd/index.ts');
    if (simdAvailable()) return simdParser;
    if (name === 'simd') throw new Error('this Node has no WebAssembly SIMD; use --parser stream-json');
  }
  return (await import('./stream-json.ts')).streamJsonParser;
}
