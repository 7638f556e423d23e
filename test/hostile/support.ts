import { readRows, type TrajectoryRow } from '../../src/index.ts';
import type { Reject } from '../../src/model/reject.ts';
import type { Account } from '../../src/read/account.ts';
import { lines, stream } from '../support.ts';

export const PARSERS = ['simd', 'stream-json'] as const;

/** A good line, as short as they come. */
export const trial = (task: string, more: object = {}, trajectory: object = {}): string =>
  lines({
    type: 'trial-result',
    stimulus: task,
    status: 'ok',
    trajectory: { id: task, events: [], ...trajectory },
    ...more,
  });

/** A good line with these events. */
export const withEvents = (...events: unknown[]): string => trial('a', {}, { events });

export interface Read {
  rows: TrajectoryRow[];
  account: Account;
  rejects: Reject[];
  /** The part of the account that the tables below speak of. */
  counts: { good: number; bad: number; blank: number; tails: number };
  tasks: (string | null)[];
  messages: string[];
}

export async function readAll(
  log: string | Uint8Array | (string | Uint8Array)[],
  options: Parameters<typeof readRows>[1] = {},
  cuts: number[] = [],
): Promise<Read> {
  const rejects: Reject[] = [];
  const parts = (Array.isArray(log) ? log : [log]).map((part) => Buffer.from(part as Uint8Array));
  const reading = readRows([stream(Buffer.concat(parts), 'log', cuts)], {
    onReject: (reject) => rejects.push(reject),
    ...options,
  });
  const rows: TrajectoryRow[] = [];
  for await (const batch of reading) for (const row of batch) rows.push(row);
  const { account } = reading;
  const { good, bad, blank, truncatedTails: tails } = account;
  return {
    rows,
    account,
    rejects,
    counts: { good, bad, blank, tails },
    tasks: rows.map(({ task }) => task),
    messages: account.problems.map(({ line, message }) => `${line}: ${message}`),
  };
}
