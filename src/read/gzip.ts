import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { ByteQueue } from './byte-queue.ts';

const MAGIC = [0x1f, 0x8b, 8];
const FLAG_HEADER_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

/** A little input can become a thousand times as much, so it is fed in little pieces. */
const PIECE_BYTES = 16 * 1024;

/**
 * Gzip, member by member. Node's own Gunzip throws away what it has when something goes wrong behind it; here, whatever
 * was good before a cut-off end, a broken checksum or garbage at the end is handed on before the error is thrown.
 */
export async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteQueue(source);
  try {
    for (let member = 0; await readHeader(bytes, member); member++) yield* readMember(bytes);
  } finally {
    await bytes.close();
  }
}

/** False at the end of the input. Zeros after the last member are padding, as on tapes and in blocks. */
async function readHeader(bytes: ByteQueue, member: number): Promise<boolean> {
  if (member > 0 && (await bytes.skipZeros())) return false;
  const fixed = await bytes.take(10);
  if (fixed.length === 0) return false;
  if (!MAGIC.every((byte, index) => fixed[index] === byte))
    throw new Error('garbage behind the end of the compressed data');
  if (fixed.length < 10) throw cutOff();
  const flags = fixed[3];
  if (flags & FLAG_EXTRA) {
    const size = await exactly(bytes, 2);
    await exactly(bytes, size[0] + 256 * size[1]);
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) if (flags & flag) while ((await exactly(bytes, 1))[0] !== 0);
  if (flags & FLAG_HEADER_CRC) await exactly(bytes, 2);
  return true;
}

async function* readMember(bytes: ByteQueue): AsyncGenerator<Uint8Array> {
  const engine = createInflateRaw();
  const out: Uint8Array[] = [];
  engine.on('data', (chunk: Uint8Array) => out.push(chunk));
  let checksum = 0;
  let size = 0;
  try {
    for (let more = true; more; ) {
      const piece = await bytes.takeSome(PIECE_BYTES);
      const { used, failure } = await inflate(engine, piece);
      // The engine stops at the end of its data, and what it did not use comes after it.
      more = piece.length > 0 && used === piece.length && !failure;
      if (used < piece.length) bytes.unread(piece.subarray(used));
      for (const chunk of out.splice(0)) {
        checksum = crc32(chunk, checksum);
        size = (size + chunk.length) % 2 ** 32;
        yield chunk;
      }
      if (failure) throw new Error(`broken compressed data: ${failure.message}`);
    }
  } finally {
    engine.destroy();
  }
  const trailer = Buffer.from(await exactly(bytes, 8));
  if (trailer.readUInt32LE(0) !== checksum || trailer.readUInt32LE(4) !== size)
    throw new Error('broken compressed data: the checksum is wrong');
}

/** Feeds one piece, or the end where it is empty. */
function inflate(engine: InflateRaw, piece: Uint8Array): Promise<{ used: number; failure: Error | null }> {
  const before = engine.bytesWritten;
  return new Promise((resolve) => {
    const done = (failure: Error | null) => {
      engine.off('error', done);
      resolve({ used: engine.bytesWritten - before, failure });
    };
    engine.on('error', done);
    if (piece.length > 0) engine.write(piece, () => done(null));
    else engine.end(() => setImmediate(() => done(null)));
  });
}

async function exactly(bytes: ByteQueue, count: number): Promise<Uint8Array> {
  const taken = await bytes.take(count);
  if (taken.length < count) throw cutOff();
  return taken;
}

function cutOff(): Error {
  return new Error('broken compressed data: unexpected end of file');
}
