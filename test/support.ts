import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { readEventLines, readRows, type TrajectoryRow } from '../src/index.ts';
import type { Account } from '../src/read/account.ts';
import type { Given } from '../src/read/inputs.ts';

type Options = Parameters<typeof readRows>[1];

/** Everything that a reading gives. */
export async function read(paths: Given[], options?: Options): Promise<{ rows: TrajectoryRow[]; account: Account }> {
  const reading = readRows(paths, options);
  const rows: TrajectoryRow[] = [];
  for await (const batch of reading) rows.push(...batch);
  return { rows, account: reading.account };
}

export async function rowsOf(paths: Given[], options?: Options): Promise<TrajectoryRow[]> {
  return (await read(paths, options)).rows;
}

/** The rows of a text, as if it stood in a file of this name. */
export const rowsIn = (text: string | Uint8Array, name = 'log'): Promise<TrajectoryRow[]> =>
  rowsOf([stream(text, name)]);

/** The one row of a text. */
export async function rowIn(text: string | Uint8Array, name = 'log'): Promise<TrajectoryRow> {
  const rows = await rowsIn(text, name);
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0];
}

export async function eventsOf(paths: Given[], options?: Options): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  for await (const batch of readEventLines(paths, options)) lines.push(...batch);
  return lines.map((line) => JSON.parse(line));
}

export function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

/** Bytes as an input, cut at these places. */
export function stream(text: string | Uint8Array, name = 'log', cuts: number[] = []): Given {
  return { name, chunks: pieces(bytesOf(text), cuts) };
}

/**
 * The bytes cut at these places. A chunk is overwritten when the next one is asked for, since that is all that readers are
 * promised; and it is a Buffer, as from Node's own streams, whose `slice` is no copy.
 */
export function* pieces(bytes: Uint8Array, cuts: number[]): Generator<Uint8Array> {
  const borders = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...borders, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(from, to));
    yield piece;
    piece.fill(0x58);
    from = to;
  }
}

export const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const withoutSource = (rows: TrajectoryRow[]): Omit<TrajectoryRow, 'source'>[] =>
  rows.map(({ source, ...row }) => row);

/** Problems as a person sees them. */
export const messagesOf = (account: Account): string[] =>
  account.problems.map(({ path, line, message }) => `${path}:${line ?? ''}: ${message}`);

/** A folder with these files in it, which goes away with the test. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Every file below a folder, by its path, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const found = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(found) : [found];
    });
}

/** The logs among the samples that are one file. */
export const SAMPLE_FILES = filesBelow('samples').filter(
  (file) => /\.jsonl?$/.test(file) && !file.endsWith('.rows.jsonl') && !file.startsWith('samples/forecast'),
);

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** The same JSON with the keys of all its objects in another order. */
export function reordered(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Record<string, unknown>;
  return Object.fromEntries(order(Object.keys(source)).map((key) => [key, reordered(source[key], order)]));
}

/** Orders of keys: each call shuffles in its own way, the same for the same seed. */
export const keyOrders: fc.Arbitrary<(keys: string[]) => string[]> = fc
  .integer({ min: 1, max: 2 ** 31 - 2 })
  .map((seed) => {
    let state = seed;
    const next = (below: number) => {
      state = (state * 48_271) % (2 ** 31 - 1);
      return state % below;
    };
    return (keys) => {
      const left = [...keys];
      return keys.map(() => left.splice(next(left.length), 1)[0]);
    };
  });

/** A zstd frame that stores its content in raw blocks, written by hand after RFC 8878. */
export function zstdStored(content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(0xfd2fb528, 0);
  // A content size of four bytes, in a single segment.
  header[4] = 0xa0;
  header.writeUInt32LE(content.length, 5);
  const parts: Uint8Array[] = [header];
  const most = 100_000;
  for (let from = 0; from === 0 || from < content.length; from += most) {
    const block = content.subarray(from, from + most);
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | (from + most >= content.length ? 1 : 0), 0, 3);
    parts.push(head, block);
  }
  return Buffer.concat(parts);
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });

/** One record of every layout, as small as they come. */
export const RECORDS = {
  trialResult: {
    type: 'trial-result',
    stimulus: 'naïve 😀',
    model: 'larch-2',
    trialIndex: 1,
    status: 'success',
    gradeResult: { name: 'g', kind: 'code', passed: true, score: 0.5 },
    trajectory: {
      events: [
        { type: 'turn_start', timestamp: '2026-01-05T10:00:00Z', data: { turnId: '0' } },
        { type: 'token_usage', data: { inputTokens: 12, outputTokens: 3, model: 'larch-2' } },
        { type: 'tool_call', timestamp: '2026-01-05T10:00:01Z', data: { toolName: 'lire_é', toolCallId: 'a' } },
        { type: 'tool_result', timestamp: '2026-01-05T10:00:02.5Z', data: { toolCallId: 'a', success: false } },
        { type: 'turn_end', timestamp: '2026-01-05T10:00:03Z', data: { turnId: '0' } },
      ],
      id: 't-1',
      stimulus: { name: 'naïve 😀' },
      metadata: { startedAt: '2026-01-05T10:00:00Z', completedAt: '2026-01-05T10:00:04Z', executor: 'cli' },
    },
  },
  legacyResult: {
    status: 'ok',
    trajectory: { events: [{ type: 'error', data: { type: 'oops' } }], id: 'old', stimulus: { name: 'q' } },
    gradeResult: { name: 'g', passed: false, score: 0 },
  },
  instance: {
    instance_id: 'harbor__é_1',
    model_patch: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+néw\n',
    trajectory: [
      { type: 'system', model: 'larch-2', timestamp: '2026-02-10T08:00:00Z' },
      { type: 'user', message: user('go') },
      {
        type: 'assistant',
        message: {
          id: 'm1',
          content: [
            { type: 'text', text: 'ok 😀' },
            { type: 'tool_use', id: 'c', name: 'Read', input: {} },
          ],
          usage: { input_tokens: 7, output_tokens: 2 },
        },
      },
      { type: 'result', subtype: 'success', num_turns: 1, duration_ms: 900, total_cost_usd: 0.25 },
    ],
  },
  conversation: {
    task: { id: 'sdk-é', source: 'app' },
    steps: [
      { messages: [user('hi'), assistant('hé', { usage: { prompt_tokens: 5, completion_tokens: 1 } })] },
      { messages: [user('hi'), assistant('hé', { usage: { prompt_tokens: 5, completion_tokens: 1 } }), user('bye')] },
    ],
    reward: { value: 1 },
    metrics: { total_tokens: 6 },
    execution_metrics: { total_time_ms: 1200 },
    error: null,
  },
  forecastTrajectory: {
    messages: [
      { key: 'U0', message: user('Will it räin?') },
      {
        key: 'A0',
        message: assistant('Yes', {
          extra: {
            actions: [{ name: 'search', tool_call_id: 'q' }],
            cost: 0.5,
            prompt_tokens: 9,
            completion_tokens: 4,
          },
        }),
      },
      { key: 'T0', message: { role: 'tool', content: '…', extra: { tool_call_id: 'q', timestamp: 1_770_000_000.5 } } },
    ],
    steps: [{ input: ['U0'], output: 'A0' }],
    trajectory_format: 'pool-1',
  },
  forecastInfo: {
    cost_stats: { total_cost: 0.75, n_api_calls: 2 },
    config: { agent: 'a', model: 'larch-2' },
    exit_status: 'submitted',
    evaluation: { brier: 0.2 },
  },
  forecastSources: { sources: { S1: { url: 'u' } }, source_board: [] },
  forecastSummary: { runs: [{ task_id: 'f1', status: 'pending', cost: { total: 1 } }], total_cost: 1 },
};

const { trialResult, legacyResult, instance, conversation } = RECORDS;

/** A small log of every layout, with what a chunk border likes to break: characters of several bytes, CRLF, blank lines. */
export const SMALL_LOGS: Record<string, string> = {
  'vally lines': `\ufeff${lines(trialResult)}\r\n${JSON.stringify(legacyResult)}\r\n{"type":"run-summary","n":1}\n`,
  'a vally record over several lines': JSON.stringify(legacyResult, null, 1),
  'a trials array': JSON.stringify([instance, { instance_id: 'two', model_patch: '', trajectory: [] }]),
  'a bare array of trial events': JSON.stringify(instance.trajectory, null, '\t'),
  'sdk lines': lines(conversation, { ...conversation, error: 'böse' }),
  'an sdk document': JSON.stringify(conversation, null, 2),
  'an sdk array': JSON.stringify([conversation, { task: 'x', steps: [], reward: 0 }], null, 1),
  'a forecast trajectory': JSON.stringify(RECORDS.forecastTrajectory),
  'a forecast info': JSON.stringify(RECORDS.forecastInfo, null, 4),
  'a forecast summary': JSON.stringify(RECORDS.forecastSummary),
};
