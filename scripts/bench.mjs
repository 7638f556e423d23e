#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge } from './bench/bars.mjs';
import { duckdbQuery, jq, jqVersion, jsonParse, streamJson, TRAJSTATS, trajstats, wc } from './bench/contestants.mjs';
import { clean, duckdb as fetchDuckdb, sample, smallFiles } from './bench/inputs.mjs';
import { megabytes, milliseconds, raceTable, ratio, speed, table } from './bench/markdown.mjs';
import { race, run } from './bench/run.mjs';
import { formatSize, parseSize } from './bench/size.mjs';

/** What each contestant has of the machine in a round, at least. */
const TURN_MS = 2000;
const USAGE = `usage: bench [options]

Runs trajstats and what could be used instead of it on the same made-up logs, in turn, and writes
BENCHMARKS.md. The logs stay in the temporary folder for the next run.

  --size SIZE     of the main input (default 512MB)
  --rounds N      of each race (default 5)
  --quick         64MB and 2 rounds, printed and not written
  --large         also 4 GB, a record of 1 GB and a string of 600 MB
  --only A,B      of speed, trials, growth, large, files, start-up; printed and not written
  --out FILE      where to write (default BENCHMARKS.md; printed in any case)
  --clean         removes the logs and what else was kept, and does nothing more`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const log = (line) => console.error(line);
const text = { type: 'string' };
const flag = { type: 'boolean' };

async function main(options) {
  const size = parseSize(options.size ?? (options.quick ? '64MB' : '512MB'));
  const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
  build();
  const bench = { size, rounds, large: options.large, duckdb: fetchDuckdb(log), measured: {} };
  if (!jqVersion) log('jq is skipped: there is none on this machine');
  const wanted = options.only?.split(',') ?? Object.keys(SECTIONS);
  const parts = [];
  for (const name of wanted) {
    if (!SECTIONS[name]) throw new Error(`--only: ${name} is none of ${Object.keys(SECTIONS).join(', ')}`);
    if (name === 'large' && !options.large && !options.only) continue;
    log(`${name}:`);
    parts.push(await SECTIONS[name](bench));
  }
  const page = [header(bench), barsTable(bench), ...parts, commands(bench)].join('\n\n');
  console.log(page);
  const out = options.out ?? (options.quick || options.only ? null : `${ROOT}/BENCHMARKS.md`);
  if (out) writeFileSync(out, `${page}\n`);
  // A slow machine is no failure; a wrong answer is.
  if (allResults(bench).some((result) => result.error)) process.exitCode = 1;
}

function build() {
  if (existsSync(`${ROOT}/dist`) && existsSync(TRAJSTATS)) return;
  log('building trajstats');
  const built = spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) log('trajstats could not be built: its rows will say that it failed');
}

/** Brings the input into memory, so that the first one to read it is at no disadvantage. */
async function warm(input) {
  await run(['wc', '-l', input.path]);
  return input;
}

const SECTIONS = {
  async speed(bench) {
    const input = await warm(sample(['--format', 'vally', '--size', formatSize(bench.size)], log));
    const contestants = [
      trajstats(input),
      trajstats(input, { jobs: 2 }),
      trajstats(input, { pipe: true }),
      trajstats(input, { jobs: 2, pipe: true }),
      ...(jqVersion ? [jq(input)] : []),
      jsonParse(input),
      // Once for all that a report says, and once for no more than counts and sums of tokens.
      ...(bench.duckdb
        ? ['vally-report', 'vally'].flatMap((query) =>
            [1, 2].map((threads) => duckdbQuery(input, bench.duckdb, threads, query)),
          )
        : []),
      wc(input),
    ];
    bench.measured.speed = await race(contestants, bench.rounds, log, TURN_MS);
    const small = await warm(sample(['--format', 'vally', '--size', '64MB'], log));
    const slow = [trajstats(small), trajstats(small, { parser: 'stream-json' }), streamJson(small)];
    bench.measured.slow = await race(slow, bench.rounds, log);
    return `## results.jsonl\n\n${raceTable(input, bench.measured.speed)}\n\nThe slow ones, on less:\n\n${raceTable(small, bench.measured.slow)}`;
  },

  async trials(bench) {
    const input = await warm(sample(['--format', 'trials', '--size', formatSize(bench.size)], log));
    const contestants = [
      trajstats(input),
      trajstats(input, { jobs: 2 }),
      trajstats(input, { pipe: true }),
      ...(bench.duckdb ? [duckdbQuery(input, bench.duckdb, 1), duckdbQuery(input, bench.duckdb, 2)] : []),
      wc(input),
    ];
    bench.measured.trials = await race(contestants, bench.rounds, log, TURN_MS);
    return (
      `## trials.json\n\n${raceTable(input, bench.measured.trials)}\n\n` +
      'DuckDB counts only instances and events here. jq and JSON.parse would have to hold the whole array.'
    );
  },

  async growth(bench) {
    const sizes = [bench.size / 8, bench.size / 4, bench.size / 2, bench.size, ...(bench.large ? [4e9] : [])];
    // Far apart, since the difference between two short runs is mostly noise.
    const records = [bench.size / 8, bench.size / 2, bench.large ? 1e9 : bench.size];
    bench.measured.growth = await series(bench, sizes, []);
    bench.measured.recordGrowth = await series(bench, records, ['--giant-record']);
    return (
      `## Growth\n\n${seriesTable('input', bench.measured.growth)}\n\n` +
      `${seriesTable('a single record', bench.measured.recordGrowth)}`
    );
  },

  async large(bench) {
    const record = await warm(sample(['--format', 'vally', '--giant-record', '--size', '1GB'], log));
    const string = await warm(sample(['--format', 'vally', '--giant-string', '600MB'], log));
    const rounds = Math.min(3, bench.rounds);
    bench.measured.giantRecord = await race([trajstats(record), trajstats(record, { jobs: 2 })], rounds, log);
    bench.measured.giantString = await race([trajstats(string), trajstats(string, { jobs: 2 })], rounds, log);
    return (
      `## A record of 1 GB\n\n${raceTable(record, bench.measured.giantRecord)}\n\n` +
      `## A string of 600 MB\n\n${raceTable(string, bench.measured.giantString)}`
    );
  },

  async files(bench) {
    const count = 10_000;
    const input = smallFiles(count, log);
    bench.measured.files = await race([trajstats(input), trajstats(input, { jobs: 2 })], bench.rounds, log);
    const rows = bench.measured.files.map(({ name, ms, peak }) => [
      name,
      milliseconds(ms),
      ms === null ? '–' : Math.round(count / (ms / 1e3)).toLocaleString('en'),
      megabytes(peak),
    ]);
    return `## ${count.toLocaleString('en')} small files\n\n${table(['', 'median', 'files/s', 'peak memory'], rows)}`;
  },

  async 'start-up'(bench) {
    const input = sample(['--format', 'vally', '--records', '9', '--record-size', '4KB'], log);
    const contestants = [
      { name: 'an empty Node program', shown: 'node -e 0', command: [process.execPath, '-e', '0'] },
      {
        name: 'trajstats --version',
        shown: 'trajstats --version',
        command: [process.execPath, TRAJSTATS, '--version'],
      },
      // As a user would call it, so it draws a table.
      {
        name: 'a report of 10 lines',
        shown: 'trajstats report FILE',
        command: [process.execPath, TRAJSTATS, 'report', input.path],
      },
    ];
    // Where it is set, Node reads certificates before it does anything else, which is in all the figures of this page.
    const bare = process.env.NODE_EXTRA_CA_CERTS
      ? contestants.map(({ name, shown, command }) => ({
          name: `${name}, without NODE_EXTRA_CA_CERTS`,
          shown: `env -u NODE_EXTRA_CA_CERTS ${shown}`,
          command: ['env', '-u', 'NODE_EXTRA_CA_CERTS', ...command],
        }))
      : [];
    const results = await race([...contestants, ...bare], bench.rounds * 4, () => {});
    bench.measured.startUp = results;
    const rows = results.map(({ name, ms }, index) => {
      const empty = results[index - (index % contestants.length)].ms;
      return [name, milliseconds(ms), ms === null || empty === null ? '–' : ratio(ms / empty)];
    });
    return `## Start-up\n\n${table(['', 'median', 'ratio'], rows)}`;
  },
};

async function series(bench, sizes, more) {
  const points = [];
  for (const size of sizes) {
    const input = await warm(sample(['--format', 'vally', ...more, '--size', formatSize(size)], log));
    const rounds = size > 1e9 ? Math.min(2, bench.rounds) : bench.rounds;
    points.push({
      bytes: input.bytes,
      results: await race([trajstats(input), trajstats(input, { jobs: 2 })], rounds, log),
    });
  }
  return points;
}

function seriesTable(name, points) {
  const head = [name, '1 job', 'MB/s', 'peak memory', '2 jobs', 'MB/s', 'peak memory'];
  const rows = points.map(({ bytes, results }) => [
    megabytes(bytes),
    ...results.flatMap(({ ms, peak }) => [milliseconds(ms), speed(bytes, ms), megabytes(peak)]),
  ]);
  return table(head, rows);
}

function header({ rounds, duckdb }) {
  const [cpu] = cpus();
  const version = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')).version;
  return [
    '# Benchmarks',
    'Written by `npm run bench`: made-up logs (`npm run make-sample`), whole processes, all of them on the same file in the ' +
      `same run, in turn; medians of ${rounds} rounds, in which the fast ones run several times; the highest peak memory. Every answer was checked against what the ` +
      'generator wrote; the peers count only trajectories, events, tokens and tool calls (jq: events), which is less than a ' +
      'report does. MB are millions of bytes.',
    [
      `- Machine: ${cpu.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB, ${process.platform}`,
      `- Versions: trajstats ${version}, Node ${process.version}, ${jqVersion ?? 'no jq'}, ${duckdb ? `DuckDB ${duckdb.version}` : 'no DuckDB'}`,
      `- Date: ${new Date().toISOString().slice(0, 10)}`,
    ].join('\n'),
  ].join('\n\n');
}

function barsTable(bench) {
  const rows = judge(bench.measured).map(({ bar, measured, pass }) => [
    bar,
    measured ?? 'not measured',
    pass === undefined ? '–' : pass ? 'pass' : 'FAIL',
  ]);
  const note = bench.size === 512e6 ? '' : `\n\nThey are meant for 512 MB; this run was on ${megabytes(bench.size)}.`;
  return `## The bars\n\n${table(['bar', 'measured', ''], rows)}${note}`;
}

/** Of all races, also those of a series. */
const allResults = ({ measured }) =>
  Object.values(measured)
    .flat()
    .flatMap((result) => result.results ?? result);

function commands(bench) {
  const shown = new Set(
    allResults(bench)
      .map((result) => result.shown)
      .filter(Boolean),
  );
  return `## Commands\n\n${[...shown].map((command) => `    ${command}`).join('\n')}`;
}

try {
  const { values } = parseArgs({
    options: { size: text, rounds: text, only: text, out: text, quick: flag, large: flag, clean: flag, help: flag },
  });
  if (values.help) console.log(USAGE);
  else if (values.clean) clean();
  else await main(values);
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
