import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readRows } from '../../src/api.ts';
import { hasProgram, shell } from '../support/trajstats.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
const line = (id: number) =>
  `${JSON.stringify({ status: 'success', gradeResult: null, trajectory: { events: [], id: `t-${id}`, output: `${Math.sin(id)}`.repeat(60) } })}\n`;
const text = Array.from({ length: 3000 }, (_, id) => line(id)).join('');
const wanted = Array.from({ length: 3000 }, (_, id) => `t-${id}`);

async function idsOf(file: string): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  for await (const rows of readRows([file])) ids.push(...rows.map(({ id }) => id));
  return ids;
}

// The bytes of a file are read to where the parser wants them; compressed ones must not be written over on the way.
test('a plain file of many chunks gives every row', async () => {
  const file = path.join(folder, 'plain.jsonl');
  writeFileSync(file, text);
  expect(await idsOf(file)).toEqual(wanted);
});

test('a gzipped file of many chunks gives every row', async () => {
  const file = path.join(folder, 'log.jsonl.gz');
  writeFileSync(file, gzipSync(text, { level: 0 }));
  expect(await idsOf(file)).toEqual(wanted);
});

test.skipIf(!hasProgram('zstd'))('a zstd file of many chunks gives every row', async () => {
  const file = path.join(folder, 'plain.jsonl');
  writeFileSync(file, text);
  expect(shell(`zstd -qf -1 "${file}" -o "${file}.zst"`).code).toBe(0);
  expect(await idsOf(`${file}.zst`)).toEqual(wanted);
});
