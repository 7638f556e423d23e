import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

type Bytes = AsyncIterable<Uint8Array>;

/** A small piece of compressed input can become a thousand times as much, so it is fed in small pieces. */
const PIECE_BYTES = 16 * 1024;
/** Logs get compressed twice by two careful tools; more often than this it is an attack. */
const MAX_LAYERS = 3;

/** Bytes as they were before compression; gzip and zstd are told by their first bytes, never by a name. */
export async function* decompressed(source: Bytes, layers = MAX_LAYERS): AsyncGenerator<Uint8Array> {
  const { head, rest } = await withHead(source, 4);
  const engine = layers > 0 ? engineFor(head) : null;
  if (!engine) yield* rest;
  else yield* decompressed(engine(rest), layers - 1);
}

function engineFor(head: Uint8Array): ((source: Bytes) => Bytes) | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return (source) => throughStream(source, zlib.createGunzip());
  const isZstd = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
  if (!isZstd) return null;
  const { createZstdDecompress } = zlib as unknown as { createZstdDecompress?: () => Transform };
  // Node has zstd from version 22.15 on.
  return createZstdDecompress ? (source) => throughStream(source, createZstdDecompress()) : throughFzstd;
}

/** The first bytes of a source, and the source as if nobody had looked. */
async function withHead(source: Bytes, size: number): Promise<{ head: Uint8Array; rest: Bytes }> {
  const chunks = source[Symbol.asyncIterator]();
  let head = new Uint8Array(0);
  let done = false;
  while (!done && head.length < size) {
    const next = await chunks.next();
    if (next.done) done = true;
    else head = new Uint8Array(Buffer.concat([head, next.value]));
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      while (!done) {
        const next = await chunks.next();
        if (next.done) done = true;
        else yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return { head, rest: rest() };
}

/** Whatever comes out before an error is handed on before the error is thrown: a cut-off file keeps its good part. */
async function* throughStream(source: Bytes, engine: Transform): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = [];
  let failure: Error | null = null;
  let wake = () => {};
  engine.on('data', (chunk: Uint8Array) => out.push(chunk));
  engine.on('error', (error: Error) => {
    failure = error;
    wake();
  });
  engine.on('end', () => wake());
  const until = (begin: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (failure) resolve();
      else begin(resolve);
    });
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length && !failure; from += PIECE_BYTES) {
      // Copied, because the engine may hold on to it while the chunk is being reused.
      const piece = new Uint8Array(chunk.subarray(from, from + PIECE_BYTES));
      await until((done) => engine.write(piece, () => done()));
      yield* out.splice(0);
    }
    if (failure) break;
  }
  if (!failure) await until(() => engine.end());
  yield* out.splice(0);
  engine.destroy();
  if (failure) throw new Error(`broken compressed data: ${(failure as Error).message}`);
}

async function* throughFzstd(source: Bytes): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const out: Uint8Array[] = [];
  const engine = new Decompress((chunk) => out.push(chunk));
  const push = (piece: Uint8Array, last: boolean): Error | null => {
    try {
      engine.push(piece, last);
      return null;
    } catch (error) {
      return new Error(`broken compressed data: ${(error as Error).message}`);
    }
  };
  let failure: Error | null = null;
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length && !failure; from += PIECE_BYTES) {
      failure = push(new Uint8Array(chunk.subarray(from, from + PIECE_BYTES)), false);
      yield* out.splice(0);
    }
    if (failure) break;
  }
  failure ??= push(new Uint8Array(0), true);
  yield* out.splice(0);
  if (failure) throw failure;
}
