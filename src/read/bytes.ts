import { closeSync, openSync, readSync, readv } from 'node:fs';
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

export type AskForRoom = HowToRead['room'];

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

/**
 * So many chunks are read at a time, and so many times that is asked for in advance: a thread that has more to do need
 * not be woken, which takes as long as to read a chunk, and on a busy machine longer.
 */
const CHUNKS_AT_ONCE = 2;
const ASKED_FOR = 3;

async function* readAhead(
  file: number,
  from: number,
  askForRoom: AskForRoom,
  own: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const owned = [own];
  while (owned.length < CHUNKS_AT_ONCE * (ASKED_FOR + 1)) owned.push(new Uint8Array(CHUNK_BYTES));
  let used = 0;
  let end = from;
  const ahead: Ahead[] = [];
  const ask = () => {
    const rooms: Room[] = [];
    while (rooms.length < CHUNKS_AT_ONCE) rooms.push(askForRoom?.() ?? { bytes: owned[used++ % owned.length] });
    const position = end;
    for (const { bytes } of rooms) end += bytes.length;
    ahead.push({ rooms, position, end, reading: readLater(file, rooms, position) });
  };
  /** Nobody may use the rooms for anything else before the reading is over. */
  const forget = async () => {
    for (const { reading } of ahead.splice(0)) await reading.catch(() => {});
  };
  try {
    for (;;) {
      while (ahead.length < ASKED_FOR) ask();
      const asked = ahead[0];
      const size = await asked.reading;
      if (size === 0) return;
      ahead.shift();
      if (asked.position + size < asked.end) {
        // The end of the file, most likely; if not, the others were asked for the wrong places.
        await forget();
        end = asked.position + size;
      }
      ask();
      let left = size;
      for (const { bytes } of asked.rooms) {
        if (left > 0) yield bytes.subarray(0, left);
        left -= bytes.length;
      }
    }
  } finally {
    await forget();
  }
}

interface Ahead {
  rooms: Room[];
  position: number;
  end: number;
  /** How many bytes were read; fewer than there is room for before the end of the file, perhaps, and none at the end. */
  reading: Promise<number>;
}

function readLater(file: number, rooms: Room[], position: number): Promise<number> {
  const buffers = rooms.map(({ bytes }) => bytes);
  const reading = new Promise<number>((resolve, reject) =>
    readv(file, buffers, position, (error, size) => (error ? reject(error) : resolve(size))),
  );
  // It may fail before anybody waits for it.
  reading.catch(() => {});
  return reading;
}

/** Reads a file from there on to its end, one chunk after the other into the same room, and tells their sizes. */
export function* readInto(path: string, from: number, room: Room): Generator<number> {
  const file = openSync(path, 'r');
  try {
    for (let position = from; ; ) {
      const { bytes } = room;
      const size = readSync(file, bytes, 0, bytes.length, position);
      if (size === 0) return;
      yield size;
      position += size;
    }
  } finally {
    closeSync(file);
  }
}

/** Buffers to be used again: for a small file, making a new one would be most of the work. */
const idle: Uint8Array[] = [];
const MOST_IDLE = 4;

/** Lets everything else that is ready go first. */
export function turn(): Promise<void> {
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

/** Where the first line begins that begins there or later; null if it is too far, or the file cannot be read. */
export function nextLine(path: string, from: number): number | null {
  if (from === 0) return 0;
  const bytes = new Uint8Array(CHUNK_BYTES);
  try {
    let position = from - 1;
    for (const size of readInto(path, position, { bytes })) {
      const newline = bytes.subarray(0, size).indexOf(NEWLINE);
      if (newline >= 0) return position + newline + 1;
      position += size;
      if (position >= from + FARTHEST_LINE) break;
    }
  } catch {
    // Reading it will tell.
  }
  return null;
}

const FARTHEST_LINE = 16 * 1024 * 1024;

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
export async function* stdinBytes(room?: AskForRoom): AsyncGenerator<Uint8Array> {
  const own = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const buffer = room?.()?.bytes ?? own;
    let size: number;
    try {
      size = readSync(STDIN, buffer);
    } catch (error) {
      size = await readStdinLater(buffer, error as NodeJS.ErrnoException);
    }
    if (size === 0) return;
    yield buffer.subarray(0, size);
  }
}

const PATIENCE_MS = 5;

/** When reading has failed: somebody may have made the pipe non-blocking, and then there is nothing to read just now. */
async function readStdinLater(buffer: Uint8Array, failure: NodeJS.ErrnoException): Promise<number> {
  for (;;) {
    if (failure.code === 'EOF') return 0;
    if (failure.code !== 'EAGAIN') throw failure;
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    try {
      return readSync(STDIN, buffer);
    } catch (again) {
      failure = again as NodeJS.ErrnoException;
    }
  }
}
