import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileBytes } from '../../src/read/bytes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));

/** Bytes whose every stretch is different, so that one in the wrong place shows. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

/** As a parser does: some of these rooms are in use while the others are being read to. */
function roomsOf(count: number, size: number) {
  const rooms = Array.from({ length: count }, () => ({ bytes: new Uint8Array(size) }));
  let last = 0;
  return () => rooms[++last % count];
}

async function read(file: string, how: Parameters<typeof fileBytes>[1]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of fileBytes(file, how)) {
    const before = Buffer.from(chunk);
    // Whoever is busy with a chunk takes longer than reading the next ones does.
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(before.equals(chunk)).toBe(true);
    chunks.push(before);
  }
  return Buffer.concat(chunks);
}

describe('a file that is read ahead', () => {
  for (const size of [0, 1, 999, 1000, 1001, 3000, 25_000, 25_001])
    test(`of ${size} bytes gives them all, in order`, async () => {
      const file = path.join(folder, `${size}`);
      writeFileSync(file, bytesOf(size));
      expect((await read(file, { ahead: true, room: roomsOf(8, 1000) })).equals(bytesOf(size))).toBe(true);
    });

  test('gives them without a room too, and from any position', async () => {
    const file = path.join(folder, 'large');
    const bytes = bytesOf(3_000_000);
    writeFileSync(file, bytes);
    expect((await read(file, { ahead: true })).equals(bytes)).toBe(true);
    const rest = await read(file, { ahead: true, from: 1_234_567, room: roomsOf(8, 100_000) });
    expect(rest.equals(bytes.subarray(1_234_567))).toBe(true);
  });

  test('may grow while it is read', async () => {
    const file = path.join(folder, 'growing');
    writeFileSync(file, bytesOf(9500));
    const chunks: Buffer[] = [];
    for await (const chunk of fileBytes(file, { ahead: true, room: roomsOf(8, 1000) })) {
      const held = Buffer.from(chunk);
      if (chunks.length === 2) appendFileSync(file, bytesOf(16_000).subarray(9500));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(held.equals(chunk)).toBe(true);
      chunks.push(held);
    }
    expect(Buffer.concat(chunks).equals(bytesOf(16_000))).toBe(true);
  });

  test('is let go of only when no reading is under way', async () => {
    const file = path.join(folder, 'large');
    const rooms = Array.from({ length: 8 }, () => ({ bytes: new Uint8Array(100_000) }));
    let last = 0;
    for await (const _ of fileBytes(file, { ahead: true, room: () => rooms[++last % 8] })) break;
    for (const { bytes } of rooms) bytes.fill(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rooms.every(({ bytes }) => bytes.every((byte) => byte === 0))).toBe(true);
  });
});
