type Bytes = AsyncIterable<Uint8Array>;

/** Logs get compressed twice by two careful tools; more often than this it is an attack. */
const MAX_LAYERS = 3;

/** A compressed input may become this many times as large, once it is larger than the free size. */
export const DEFAULT_MAX_EXPANSION = 200;
const FREE_BYTES = 1024 ** 3;

/** So many tell what it is. */
const MAGIC_BYTES = 4;

/** Bytes as they were before compression; gzip and zstd are told by their first bytes, never by a name. */
export async function decompressed(source: Bytes, maxExpansion = DEFAULT_MAX_EXPANSION): Promise<Bytes> {
  const read = { bytes: 0 };
  let { head, rest } = await withHead(source, MAGIC_BYTES);
  let engine = await engineFor(head);
  if (!engine) return rest;
  let bytes: Bytes = counted(rest, read);
  for (let layers = 0; engine; layers++) {
    if (layers === MAX_LAYERS) throw new Error(`compressed more than ${MAX_LAYERS} times over`);
    ({ head, rest } = await withHead(engine(bytes), MAGIC_BYTES));
    bytes = rest;
    engine = await engineFor(head);
  }
  return bounded(bytes, read, maxExpansion);
}

async function* bounded(source: Bytes, read: { bytes: number }, maxExpansion: number): AsyncGenerator<Uint8Array> {
  let written = 0;
  for await (const chunk of source) {
    written += chunk.length;
    if (written > FREE_BYTES && written > read.bytes * maxExpansion)
      throw new Error(
        `stopped: the compressed data becomes more than ${maxExpansion} times as large; --max-expansion allows more`,
      );
    yield chunk;
  }
}

const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b;
const isZstd = (head: Uint8Array) => head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;

export function isCompressed(head: Uint8Array): boolean {
  return isGzip(head) || isZstd(head);
}

/** Loaded only for what needs it: zlib is a good part of the start-up of a small run. */
async function engineFor(head: Uint8Array): Promise<((source: Bytes) => Bytes) | null> {
  if (isGzip(head)) return (await import('./gzip.ts')).gunzipped;
  return isZstd(head) ? (await import('./zstd.ts')).unzstd : null;
}

async function* counted(source: Bytes, read: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    read.bytes += chunk.length;
    yield chunk;
  }
}

/** The first bytes of a source, and the source as if nobody had looked. */
async function withHead(source: Bytes, size: number): Promise<{ head: Uint8Array; rest: Bytes }> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let failure: { error: unknown } | null = null;
  let done = false;
  while (!done && head.length < size) {
    try {
      const next = await chunks.next();
      if (next.done) done = true;
      else head = Buffer.concat([head, next.value]);
    } catch (error) {
      // What came before the error is still good; the error follows it.
      failure = { error };
      done = true;
    }
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      if (failure) throw failure.error;
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
