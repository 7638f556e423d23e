import type { MakeParser, ParserOptions } from '../../../src/parse/parser.ts';
import type { Call } from './prune.ts';

/** All calls of a parser that is fed these chunks. */
export function logOf(make: MakeParser, options: ParserOptions, chunks: Iterable<Uint8Array>): Call[] {
  const calls: Call[] = [];
  const parser = make(options, {
    item: (stream, value) => calls.push(['item', stream, value]),
    record: (value, place, cut) => calls.push(['record', value, place, cut]),
    bad: (message, place) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      if (!/^not valid (UTF-8$|JSON: .)/.test(message) || /[\x00-\x1f]/.test(message)) throw new Error(message);
      calls.push(['bad', place]);
    },
    blank: (lines) => calls.push(['blank', lines]),
    tail: (bytes, place) => calls.push(['tail', bytes, place]),
  });
  for (const chunk of chunks) {
    // The chunk may be reused as soon as write returns.
    const copy = Uint8Array.from(chunk);
    parser.write(copy);
    copy.fill(0x5b);
  }
  parser.end();
  return calls;
}

/** Without the items of bad and unfinished records, which are void. */
export function withoutVoidItems(calls: Call[]): Call[] {
  const kept: Call[] = [];
  let items: Call[] = [];
  for (const call of calls) {
    if (call[0] === 'item') {
      items.push(call);
      continue;
    }
    if (call[0] === 'record') kept.push(...items);
    items = [];
    kept.push(call);
  }
  return kept;
}

export function* inChunks(bytes: Uint8Array, sizes: number[]): Iterable<Uint8Array> {
  let from = 0;
  for (let turn = 0; from < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : sizes[turn % sizes.length];
    yield bytes.subarray(from, from + size);
    from += size;
  }
}
