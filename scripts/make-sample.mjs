#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { Forecast } from './bench/sample/forecast.mjs';
import { Random } from './bench/sample/random.mjs';
import { Rows } from './bench/sample/rows.mjs';
import { Sdk } from './bench/sample/sdk.mjs';
import { Totals } from './bench/sample/tally.mjs';
import { Text } from './bench/sample/text.mjs';
import { Trials } from './bench/sample/trials.mjs';
import { Vally } from './bench/sample/vally.mjs';
import { Writer, writeToStdout } from './bench/sample/writer.mjs';
import { parseSize } from './bench/size.mjs';

const USAGE = `usage: make-sample --format vally|trials|sdk|forecast|rows [options]

Writes a made-up log of any size to standard output, always the same bytes for the same options.

  --size SIZE               of the whole output (512MB, 4GB; default 16MB)
  --records N               exactly N records
  --record-size SIZE        mean size of a record (default 85KB; not for rows)
  --events-per-record N     about N events in each record; without --size the events are small
  --giant-record            one record of the whole size
  --giant-string SIZE       one string of that size, in the first record
  --tasks N --models N --trials N
                            N tasks (default 200) by N models (3), each tried N times; with all
                            three, or --trials, that many records
  --seed N                  (default 1)
  --summary                 what was written, as one line of JSON on standard error

forecast is one trajectory.json, so always one record. The steps of sdk are cumulative: text is
repeated in every later step.`;

const FORMATS = { vally: Vally, trials: Trials, sdk: Sdk, forecast: Forecast, rows: Rows };
const text = { type: 'string' };
const flag = { type: 'boolean' };
const OPTIONS = {
  ...{ format: text, size: text, records: text, 'record-size': text, 'events-per-record': text, seed: text },
  ...{ 'giant-string': text, tasks: text, models: text, trials: text },
  ...{ 'giant-record': flag, summary: flag, help: flag },
};

/** What to write, from the options: how many records, how large, how many events in each. */
export function makePlan(options) {
  const count = (name) => {
    if (options[name] === undefined) return undefined;
    const value = Number(options[name]);
    if (!Number.isSafeInteger(value) || value < (name === 'seed' ? 0 : 1)) throw new Error(`--${name}: not a count`);
    return value;
  };
  const bytes = (name) => (options[name] === undefined ? undefined : parseSize(options[name]));

  const Format = FORMATS[options.format];
  if (!Format) throw new Error(`--format: one of ${Object.keys(FORMATS).join(', ')}`);
  const giant = bytes('giant-string') ?? 0;
  if (giant && Format === Rows) throw new Error('--giant-string: not for rows');
  const tasks = count('tasks') ?? 200;
  const models = count('models') ?? 3;
  const trials = count('trials');
  const events = count('events-per-record');
  const single = options['giant-record'] || Format === Forecast;
  const records = single ? 1 : (count('records') ?? (trials && tasks * models * trials));
  const recordSize = bytes('record-size') ?? (events ? events * Format.smallEvent : Format.recordSize);
  const size = bytes('size') ?? (records && (!single || events) ? records * recordSize : 16e6) + giant;
  return {
    ...{ Format, seed: count('seed') ?? 1, size, records, recordSize, giant, tasks, models, trials },
    events: (recordBytes) => events ?? Math.max(4, Math.round(Format.events(recordBytes))),
    /** Every task by every model, then all of them again for the next trial. */
    identity: (index) => ({
      task: index % tasks,
      model: Math.floor(index / tasks) % models,
      trial: Math.floor(index / (tasks * models)),
    }),
  };
}

/** Writes the sample into `sink` and returns its summary. */
export function writeSample(plan, sink) {
  const random = new Random(plan.seed);
  const out = new Writer(sink);
  const totals = new Totals();
  const format = new plan.Format({ out, random, totals, plan, text: new Text(random) });
  format.begin();
  let giant = plan.giant;
  for (let index = 0, last = false; !last; index++) {
    const left = plan.size - out.position - giant;
    const mean = plan.records ? left / (plan.records - index) : plan.recordSize;
    let bytes = mean * (0.25 + random.unit() * 1.5);
    last = plan.records ? index === plan.records - 1 : left - bytes < plan.recordSize / 4;
    if (last) bytes = left;
    // The first and the last are never errored trials, so that small samples have something in them.
    format.record({ index, bytes, events: plan.events(bytes), giant, plain: last || index === 0 });
    giant = 0;
  }
  format.end();
  out.flush();
  const { trajectories, outcomes, sums } = totals;
  return { bytes: out.position, trajectories, outcomes, ...sums };
}

if (import.meta.main ?? process.argv[1]?.endsWith('make-sample.mjs')) {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.help) {
      console.log(USAGE);
    } else {
      const summary = writeSample(makePlan(values), writeToStdout);
      if (values.summary) console.error(JSON.stringify({ format: values.format, ...summary }));
    }
  } catch (error) {
    console.error(`make-sample: ${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  }
}
