import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { Spool } from '../../src/read/spool.ts';

const drained = (spool: Spool): string[] => [...spool.drain()].flat();
const openFiles = () => readdirSync('/proc/self/fd').length;
const leftOver = () => readdirSync(tmpdir()).filter((name) => /^trajstats-(?!test)/.test(name));

/** More than is held in memory. */
const MANY = Array.from({ length: 40_000 }, (_, n) => JSON.stringify({ n, text: `é😀\n${'x'.repeat(n % 700)}` }));

describe('a spool', () => {
  test('gives its lines back in order, and is empty then', () => {
    const spool = new Spool();
    for (const line of ['a', '', 'é']) spool.add(line);
    expect(drained(spool)).toEqual(['a', '', 'é']);
    expect(drained(spool)).toEqual([]);
  });

  test('gives back more than fits into memory, whole and in order', () => {
    expect(MANY.join('').length).toBeGreaterThan(10 * 1024 * 1024);
    const spool = new Spool();
    for (const line of MANY) spool.add(line);
    let at = 0;
    for (const batch of spool.drain())
      for (const line of batch) if (line !== MANY[at++]) expect(line).toBe(MANY[at - 1]);
    expect(at).toBe(MANY.length);
    expect(drained(spool)).toEqual([]);
  });

  test('gives back a line that is longer than its memory, among short ones', () => {
    const long = 'é'.repeat(9 * 1024 * 1024);
    const spool = new Spool();
    for (const line of ['a', long, 'b', '', 'c']) spool.add(line);
    const lines = drained(spool);
    expect(lines.map((line) => line.length)).toEqual([1, long.length, 1, 0, 1]);
    expect(lines[1] === long).toBe(true);
  });

  test('that was cleared forgets everything', () => {
    const spool = new Spool();
    for (const line of MANY) spool.add(line);
    spool.clear();
    spool.add('new');
    expect(drained(spool)).toEqual(['new']);
  });

  test('leaves no name behind in the temporary folder', () => {
    const before = leftOver();
    const spool = new Spool();
    for (const line of MANY) spool.add(line);
    expect(leftOver().filter((name) => !before.includes(name))).toEqual([]);
    spool.clear();
  });

  test.runIf(existsSync('/proc/self/fd'))('closes its file when it is drained, cleared, or left in the middle', () => {
    const ways: ((spool: Spool) => void)[] = [
      drained,
      (spool) => spool.clear(),
      (spool) => {
        for (const _ of spool.drain()) break;
      },
    ];
    for (const way of ways) {
      const before = openFiles();
      const spool = new Spool();
      for (const line of MANY) spool.add(line);
      expect(openFiles()).toBe(before + 1);
      way(spool);
      expect(openFiles()).toBe(before);
    }
  });
});
