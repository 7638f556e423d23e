/**
 * One page that wires the stops together:
 *
 *   bytes ──► values ──► events ──► rows ──► report
 *   read/     parse/     formats/   metrics/  aggregate/
 *
 * Each input is read by stages that stream-chain composes: from the input to what a collector makes of its trajectories
 * (`collect/` joins reader, parser and format), and on to what is wanted of them. Stages pass batches, because what costs
 * in a stream is the number of things that go through it.
 */
import { chain } from 'stream-chain/core';
import { matches } from './aggregate/where.ts';
import { type Collector, isElsewhere } from './collect/collector.ts';
import { readElsewhere } from './collect/elsewhere.ts';
import { EventCollector, type EventLines } from './collect/event-collector.ts';
import { readFile } from './collect/feed.ts';
import { readRuns } from './collect/forecast-folder.ts';
import { printedRows, reportRows } from './collect/row-collector.ts';
import { fail, type ReadOptions, type Run } from './collect/run.ts';
import type { Detail } from './formats/format.ts';
import type { Reject } from './model/reject.ts';
import type { ReportRow } from './model/report-row.ts';
import type { TrajectoryRow } from './model/row.ts';
import { chooseParser } from './parse/choose.ts';
import type { MakeParser } from './parse/parser.ts';
import { type Account, mergeAccounts, newAccount } from './read/account.ts';
import { inOrder } from './read/in-order.ts';
import type { Input, Inputs } from './read/inputs.ts';

/** What a run gives, batch by batch, and its account, which is complete when the batches have ended. */
export interface Reading<T> extends AsyncIterable<T[]> {
  account: Account;
  /** Bad lines since somebody last took them out of here, where they are kept. */
  rejects: Reject[];
}

const FILES_AT_ONCE = 4;

/** One row per trajectory, in the order of the inputs and of the records in them. */
export function rowsOf(inputs: Inputs, options: ReadOptions = {}): Reading<TrajectoryRow> {
  const where = options.where ?? [];
  const keep = (rows: TrajectoryRow[]) => (where.length === 0 ? rows : rows.filter((row) => matches(where, row)));
  return readInputs(inputs, 'metrics', options, (run) => chain([collected(run, printedRows), keep]));
}

/** How much a report, or else a row, has to know. Conditions are about rows, so with them reports are made from rows. */
export function detailOf(by: unknown[] | null, { where }: ReadOptions): Detail {
  return by !== null && !where?.length ? 'report' : 'metrics';
}

/** What a report needs of every trajectory, in the same order. Conditions are about rows, so with them these are rows. */
export function reportRowsOf(inputs: Inputs, options: ReadOptions = {}): Reading<ReportRow> {
  if (options.where?.length) return rowsOf(inputs, options);
  return readInputs(inputs, 'report', options, (run) => chain([collected(run, reportRows)]));
}

/** One line of JSON per event. */
export function eventLinesOf(inputs: Inputs, options: ReadOptions = {}): Reading<string> {
  const unfold = function* (held: EventLines[]) {
    for (const lines of held) yield* lines.batches();
  };
  return readInputs(inputs, 'events', options, (run) => chain([collected(run, () => new EventCollector()), unfold]));
}

type Stages<T> = (inputs: Iterable<Input>) => AsyncIterable<T[]>;

function readInputs<T>(
  { inputs, unreadable }: Inputs,
  detail: Detail,
  options: ReadOptions,
  stages: (run: Run) => unknown,
): Reading<T> {
  const account = newAccount();
  const rejects: Reject[] = [];
  let parser: Promise<MakeParser> | undefined;
  for (const { path, message } of unreadable) fail(account, path, message);

  async function* readOne(input: Input): AsyncGenerator<{ batch?: T[]; account?: Account; rejects: Reject[] }> {
    parser ??= chooseParser(options.parser);
    const run: Run = {
      detail,
      options,
      makeParser: await parser,
      account: newAccount(),
      rejects: [],
    };
    for await (const batch of (stages(run) as Stages<T>)([input])) yield { batch, rejects: run.rejects.splice(0) };
    yield { account: run.account, rejects: run.rejects };
  }

  async function* batches(): AsyncGenerator<T[]> {
    for await (const part of inOrder(inputs, FILES_AT_ONCE, readOne)) {
      for (const reject of part.rejects) rejects.push(reject);
      if (part.account) mergeAccounts(account, part.account);
      if (part.batch) yield part.batch;
    }
  }
  return { account, rejects, [Symbol.asyncIterator]: batches };
}

/** The stage from an input to what a collector makes of the trajectories in it. */
function collected<T>(run: Run, makeCollector: () => Collector<T>): (input: Input) => AsyncGenerator<T[]> {
  return async function* (input) {
    const collector = makeCollector();
    const reading = input.kind === 'runs' ? readRuns(run, input, collector) : readFile(run, input, collector);
    for await (const _ of reading) {
      const batch: T[] = [];
      for (const thing of collector.take()) {
        if (!isElsewhere(thing)) batch.push(thing);
        else {
          const found = makeCollector();
          await readElsewhere(run, thing, found);
          batch.push(...(found.take() as T[]));
        }
      }
      // Also when it is empty: whoever waits gets a turn.
      yield batch;
    }
  };
}
