import { closeSync, openSync, read, readSync } from 'node:fs';
import type { Room } from '../model/room.ts';

/** Large enough that what is done per chunk costs nothing, small enough to stay in the cache. */
export const CHUNK_BYTES = 256 * 1024;

/** How much is read before timers, signals and other threads get a turn. */
const TURN_BYTES = 2 * 1024 * 1024;

export interface HowToRead {
  /** The position to begin at. */
  from?: number;
  /** Asked for each chunk where to read it to. */
  room?: () => Room | undefined;
  /** Whether the next chunks are read, by threads of Node's, while one is being used; only for what has positions. */
  ahead?: boolean;
}

/** The bytes of a file. A chunk is valid until the next one is asked for. */
export async function* fileBytes(path: string, { from, room, ahead }: HowToRead = {}): AsyncGenerator<Uint8Array> {
  const file = openSync(path, 'r');
  const own = idle.pop() ?? new Uint8Array(CHUNK_BYTES);
  try {
    if (ahead) yield* readAhead(file, from ?? 0, room, own);
    else yield* readInTurn(file, from ?? null, room, own);
  } finally {
    closeSync(file);
    if (idle.length < MOST_IDLE) idle.push(own);
  }
}

type AskForRoom = HowToRead['room'];

/**
 * By synchronous reads: what they wait for is nearly always in memory already, and where all cores are busy, a trip
 * through the thread pool costs more than the reading.
 */
async function* readInTurn(
  file: number,
  from: number | null,
  room: AskForRoom,
  own: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let position = from;
  let sinceTurn = 0;
  for (;;) {
    const buffer = room?.()?.bytes ?? own;
    const size = readSync(file, buffer, 0, Math.min(buffer.length, CHUNK_BYTES), position);
    if (size === 0) return;
    if (position !== null) position += size;
    yield buffer.subarray(0, size);
    sinceTurn += size;
    if (sinceTurn >= TURN_BYTES) {
      sinceTurn = 0;
      await turn();
    }
  }
}

/** So many chunks are being read while one is used: more than one, since the thread that reads may have to wait for a core. */
const CHUNKS_AHEAD = 2;

async function* readAhead(
  file: number,
  from: number,
  askForRoom: AskForRoom,
  own: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const owned = [own, new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)].map((bytes) => ({ bytes }));
  const ahead: Ahead[] = [];
  let position = from;
  let begun = 0;
  const begin = () => {
    const room = askForRoom?.() ?? owned[begun++ % owned.length];
    const asked = room.bytes.length;
    ahead.push({ room, start: position, asked, reading: readLater(file, room.bytes, position) });
    position += asked;
  };
  try {
    for (;;) {
      while (ahead.length < CHUNKS_AHEAD) begin();
      const { room, start, asked, reading } = ahead[0];
      const size = await reading;
      ahead.shift();
      if (size === 0) return;
      if (size === asked) begin();
      else {
        // As at the end of a file: what was asked for behind this is not where it should be.
        await over(ahead);
        ahead.length = 0;
        position = start + size;
      }
      yield room.bytes.subarray(0, size);
    }
  } finally {
    // Nobody may use the rooms for anything else before the reading is over.
    await over(ahead);
  }
}

interface Ahead {
  room: Room;
  start: number;
  asked: number;
  reading: Promise<number>;
}

async function over(ahead: Ahead[]): Promise<void> {
  await Promise.allSettled(ahead.map(({ reading }) => reading));
}

function readLater(file: number, bytes: Uint8Array, position: number): Promise<number> {
  const reading = new Promise<number>((resolve, reject) =>
    read(file, bytes, 0, bytes.length, position, (error, size) => (error ? reject(error) : resolve(size))),
  );
  // It may fail before anybody waits for it.
  reading.catch(() => {});
  return reading;
}

/** Buffers to be used again: for a small file, making a new one would be most of the work. */
const idle: Uint8Array[] = [];
const MOST_IDLE = 4;

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
export async function* rangeBytes(
  path: string,
  start: number,
  end: number,
  how: Omit<HowToRead, 'from'>,
): AsyncGenerator<Uint8Array> {
  // A line begins at `start` only if the byte before it is a newline.
  let position = Math.max(0, start - 1);
  let began = start === 0;
  for await (const chunk of fileBytes(path, { ...how, from: position })) {
    const next = position + chunk.length;
    const from = began ? 0 : chunk.indexOf(NEWLINE) + 1;
    const beginsLate = !began && (from === 0 ? next : position + from) >= end;
    if (beginsLate) return;
    if (began || from > 0) {
      began = true;
      // The first newline at or behind `end - 1` ends the last line that began in the range.
      const last = next < end ? -1 : chunk.indexOf(NEWLINE, Math.max(from, end - 1 - position));
      yield last < 0 ? chunk.subarray(from) : chunk.subarray(from, last + 1);
      if (last >= 0) return;
    }
    position = next;
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
