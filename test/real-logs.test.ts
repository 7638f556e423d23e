import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRows } from '../src/api.ts';
import type { TrajectoryRow } from '../src/model/row.ts';
import { ROOT } from './support/trajstats.ts';

/** Real logs that lie beside the project on our own machines; they are not ours to ship. */
const DATA = path.join(ROOT, '../shared/data');

async function rowsOf(file: string): Promise<TrajectoryRow[]> {
  const all: TrajectoryRow[] = [];
  for await (const rows of readRows([file])) all.push(...rows);
  return all;
}

describe.skipIf(!existsSync(DATA))('real logs', () => {
  it('of vally give the metrics that vally recorded, in every field', async () => {
    let compared = 0;
    for (const run of readdirSync(path.join(DATA, 'vally'))) {
      const file = path.join(DATA, 'vally', run, 'results.jsonl');
      const records = readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const recorded = records.filter((record) => record.trajectory).map((record) => record.trajectory.metrics);
      expect((await rowsOf(file)).map(({ metrics }) => metrics)).toEqual(recorded);
      compared += recorded.length;
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('of trials give the recorded number of turns, and null for what they do not carry', async () => {
    for (const name of readdirSync(path.join(DATA, 'trials'))) {
      const [row] = await rowsOf(path.join(DATA, 'trials', name));
      expect(row.metrics.turnCount).toBe(row.recorded.turnCount);
      expect([row.metrics.tokenUsage, row.costUsd, row.metrics.wallTimeMs]).toEqual([null, null, null]);
      expect(row.task).toBe(name.replace('.json', ''));
    }
  });
});
