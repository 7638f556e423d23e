import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompressed } from '../../src/read/decompress.ts';
import { pieces, zstdStored } from '../support.ts';

async function* source(bytes: Uint8Array, cuts: number[], log?: string[]): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces(bytes, cuts);
  } finally {
    log?.push('closed');
  }
}

/** What comes out, copied as it comes, and the error at its end. */
async function run(bytes: Uint8Array, cuts: number[] = []): Promise<{ out: Buffer; error: string | null }> {
  const out: Uint8Array[] = [];
  try {
    for await (const chunk of await decompressed(source(bytes, cuts))) out.push(new Uint8Array(chunk));
    return { out: Buffer.concat(out), error: null };
  } catch (error) {
    return { out: Buffer.concat(out), error: (error as Error).message };
  }
}

const PACK: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ['plain', (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes)],
  ['zstd', zstdStored],
];

describe('bytes come out as they were', () => {
  test.each(PACK)('%s, in chunks of any size', async (_, pack) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
        async (bytes, cuts) => {
          // What begins like compressed data is taken for it.
          fc.pre(!(bytes[0] === 0x1f && bytes[1] === 0x8b));
          expect(await run(pack(bytes), cuts)).toEqual({ out: Buffer.from(bytes), error: null });
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([...PACK.slice(1)])('%s: several members, one after the other', async (_, pack) => {
    const parts = ['one ', 'two ', '', 'three'].map((text) => pack(Buffer.from(text)));
    const packed = Buffer.concat(parts);
    for (const cuts of [[], [...packed.keys()], [parts[0].length], [parts[0].length + 1]])
      expect(await run(packed, cuts)).toEqual({ out: Buffer.from('one two three'), error: null });
  });

  test('a megabyte that was a kilobyte', async () => {
    const bytes = Buffer.alloc(3_000_000, 'abc');
    const packed = gzipSync(bytes);
    expect(packed.length).toBeLessThan(10_000);
    expect((await run(packed)).out.equals(bytes)).toBe(true);
  });

  test('fewer bytes than any magic number', async () => {
    for (const bytes of [[], [0x1f], [0x28], [0x28, 0xb5, 0x2f]])
      expect((await run(Uint8Array.from(bytes))).out).toEqual(Buffer.from(bytes));
  });

  test('three layers, and no more', async () => {
    const pack = (times: number) =>
      Array.from({ length: times }).reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from('x'));
    expect((await run(pack(3))).out.toString()).toBe('x');
    expect(await run(pack(4))).toEqual({ out: Buffer.alloc(0), error: 'compressed more than 3 times over' });
  });
});

describe('data that is broken', () => {
  const text = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `line ${n * 7919}\n`).join(''));

  test.each([...PACK.slice(1)])('%s that was cut off gives its good part, and then the error', async (_, pack) => {
    const packed = pack(text);
    const { out, error } = await run(packed.subarray(0, Math.floor(packed.length * 0.8)));
    expect(out.length).toBeGreaterThan(text.length * 0.4);
    expect(out.equals(text.subarray(0, out.length))).toBe(true);
    expect(error).toMatch(/^broken compressed data: /);
  });

  test('gzip with a wrong checksum is an error', async () => {
    const packed = Buffer.from(gzipSync(text));
    packed[packed.length - 6] ^= 0xff;
    expect((await run(packed)).error).toMatch(/^broken compressed data: /);
  });

  test('gzip with a flipped bit in the middle is an error, and what stands before it is good', async () => {
    const packed = Buffer.from(gzipSync(text));
    packed[packed.length >> 1] ^= 0x10;
    const { out, error } = await run(packed);
    expect(error).toMatch(/^broken compressed data: /);
    expect(out.subarray(0, 10_000).equals(text.subarray(0, 10_000))).toBe(true);
  });

  test('an error of the source surfaces', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(text).subarray(0, 5000);
      throw new Error('unplugged');
    }
    const parts: Uint8Array[] = [];
    await expect(
      (async () => {
        for await (const chunk of await decompressed(failing())) parts.push(chunk);
      })(),
    ).rejects.toThrow('unplugged');
    expect(Buffer.concat(parts).length).toBeGreaterThan(0);
  });
});

test.each(PACK)('%s: whoever stops early closes the source', async (_, pack) => {
  const log: string[] = [];
  const packed = pack(Buffer.alloc(100_000, 'x'));
  for await (const _ of await decompressed(source(packed, [10, 20, 30], log))) break;
  expect(log).toEqual(['closed']);
});
