import { closeSync, openSync, read, readSync } from 'node:fs';
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

/** The first bytes of a file; none where it cannot be read, which reading it will tell. */
export function readHead(path: string, size: number): Uint8Array {
  const buffer = new Uint8Array(size);
  try {
    const file = openSync(path, 'r');
    try {
      return buffer.subarray(0, readSync(file, buffer, 0, size, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return buffer.subarray(0, 0);
  }
}

const NEWLINE = 0x0a;

/**
 * The lines that begin between two offsets of a file, the last one to its end. So ranges that meet give every line once,
 * wherever they were cut.
 */
export async function* rangeBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    // A line begins at `start` only if the byte before it is a newline.
    let position = Math.max(0, start - 1);
    let began = start === 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      const chunk = buffer.subarray(0, bytesRead);
      const from = began ? 0 : chunk.indexOf(NEWLINE) + 1;
      if (from > 0 || began) {
        if (!began && position + from >= end) return;
        began = true;
        // The first newline at or behind `end - 1` ends the last line that began in the range.
        const last = position + bytesRead < end ? -1 : chunk.indexOf(NEWLINE, Math.max(from, end - 1 - position));
        const to = last < 0 ? bytesRead : last + 1;
        if (to > from) yield chunk.subarray(from, to);
        if (last >= 0) return;
      }
      position += bytesRead;
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
