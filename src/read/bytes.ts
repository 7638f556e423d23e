import { read, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Large enough that what is done per chunk costs nothing, small enough to stay in the cache. */
export const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file. A chunk is valid until the next one is asked for. */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const STDIN = 0;

/** Standard input, by large synchronous reads: twice as fast as the stream that Node makes of it. */
export async function* stdinBytes(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const size = await readStdin(buffer);
    if (size === 0) return;
    yield buffer.subarray(0, size);
  }
}

async function readStdin(buffer: Uint8Array): Promise<number> {
  try {
    return readSync(STDIN, buffer);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EOF') return 0;
    if (code !== 'EAGAIN') throw error;
    // Somebody made the pipe non-blocking: then wait for bytes the slow way.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Promise((resolve, reject) =>
      read(STDIN, buffer, 0, buffer.length, null, (failed, size) => {
        if (!failed) resolve(size);
        else if (failed.code === 'EAGAIN') resolve(readStdin(buffer));
        else reject(failed);
      }),
    );
  }
}
