import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, rowsOf, textOf } from './support.ts';

/** What stands beside `NAME.rows.jsonl`: `NAME.jsonl`, `NAME.json` or the folder `NAME`. */
function inputBeside(rows: string): string {
  const name = rows.replace(/\.rows\.jsonl$/, '');
  const found = [`${name}.jsonl`, `${name}.json`, name].find(existsSync);
  if (!found) throw new Error(`no log beside ${rows}`);
  return found;
}

const expected = filesBelow('samples').filter((file) => file.endsWith('.rows.jsonl'));
const inputs = expected.map(inputBeside);

describe('every sample gives the rows that stand beside it', () => {
  test.each(expected.map((rows) => [inputBeside(rows), rows]))('%s', async (input, rows) => {
    const wanted = textOf(rows)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(await rowsOf([input])).toEqual(wanted);
  });
});

test('every log among the samples has its rows', () => {
  const covered = (file: string) =>
    inputs.some((input) => file === input || file.startsWith(`${input}/`)) ||
    // The trajectories of a split trials file are read through it.
    path.dirname(file) === 'samples/trials/trials';
  const logs = filesBelow('samples').filter((file) => /\.jsonl?$/.test(file) && !file.endsWith('.rows.jsonl'));
  expect(logs.filter((file) => !covered(file))).toEqual([]);
  expect(logs.length).toBeGreaterThan(10);
});

test('the samples show all four formats', async () => {
  const formats = new Set((await rowsOf(inputs)).map((row) => row.format));
  expect([...formats].sort()).toEqual(['forecast', 'sdk', 'trials', 'vally']);
});
