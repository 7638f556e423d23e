#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reportFigures, TRAJSTATS } from './bench/contestants.mjs';
import { megabytes, milliseconds, speed, table } from './bench/markdown.mjs';
import { median, statusBytes } from './bench/run.mjs';
import { parseSize } from './bench/size.mjs';

const USAGE = `usage: soak [--size 10GB] [--format vally] [--seed 1] [--jobs N]

Pipes a made-up log into \`trajstats report\`, and watches its memory. Fails if the totals are not what the generator
wrote, or if there is more memory in use in the last quarter of the time than in the second (20 % more).`;

const GENERATOR = fileURLToPath(new URL('make-sample.mjs', import.meta.url));
// A real pipe between the two; the inner shell notes its process id, and becomes trajstats.
const PIPELINE = `
node=$1 generator=$2 trajstats=$3 format=$4 size=$5 seed=$6; shift 6
"$node" "$generator" --format "$format" --size "$size" --seed "$seed" --summary 2> summary |
  sh -c 'echo $$ > pid; exec "$@"' sh "$node" "$trajstats" report --format json "$@" > report`;
const MOST_GROWTH = 1.2;
const LEAST_SAMPLES = 12;

async function soak({ size, format, seed, jobs }) {
  const folder = mkdtempSync(join(tmpdir(), 'trajstats-soak-'));
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  try {
    const start = Date.now();
    const samples = [];
    const args = [process.execPath, GENERATOR, TRAJSTATS, format, size, seed, ...(jobs ? ['--jobs', jobs] : [])];
    const pipeline = spawn('sh', ['-c', PIPELINE, 'sh', ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const every = parseSize(size) >= 2e9 ? 1000 : 50;
    const watch = setInterval(() => {
      try {
        const pid = Number(read('pid'));
        samples.push({ ms: Date.now() - start, rss: statusBytes(pid, 'VmRSS'), peak: statusBytes(pid, 'VmHWM') });
      } catch {} // not yet started, or just gone
    }, every);
    const code = await new Promise((resolve, reject) => pipeline.on('close', resolve).on('error', reject));
    clearInterval(watch);
    if (code !== 0) throw new Error(`trajstats ended with ${code}`);
    const ms = Date.now() - start;
    const problems = [...wrongTotals(JSON.parse(read('report')), JSON.parse(read('summary'))), ...growth(samples)];
    const { bytes, trajectories } = JSON.parse(read('summary'));
    console.log(series(samples));
    console.log(
      `\n${megabytes(bytes)} in ${milliseconds(ms)}, ${speed(bytes, ms)} MB/s, ${trajectories} trajectories; ` +
        `peak memory ${megabytes(samples.at(-1)?.peak ?? null)}`,
    );
    console.log(problems.length > 0 ? problems.join('\n') : 'totals are right, memory is flat');
    return problems.length === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Some twenty of the samples. */
function series(samples) {
  const step = Math.max(1, Math.ceil(samples.length / 20));
  const shown = samples.filter((_, i) => i % step === 0 || i === samples.length - 1);
  return table(
    ['after', 'memory', 'peak so far'],
    shown.map(({ ms, rss, peak }) => [milliseconds(ms), megabytes(rss), megabytes(peak)]),
  );
}

function wrongTotals(report, summary) {
  return Object.entries(reportFigures(report))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(summary[name]))
    .map(([name, value]) => `${name} is ${JSON.stringify(value)}, the input has ${JSON.stringify(summary[name])}`);
}

function growth(samples) {
  if (samples.length < LEAST_SAMPLES) return [`only ${samples.length} samples of memory: use a larger --size`];
  const quarter = (n) => samples.slice((samples.length * (n - 1)) / 4, (samples.length * n) / 4).map(({ rss }) => rss);
  const [second, last] = [median(quarter(2)), median(quarter(4))];
  if (last <= second * MOST_GROWTH) return [];
  const hint = samples.at(-1).ms < 10_000 ? ' (a run this short is mostly warm-up: use a larger --size)' : '';
  return [`memory grew from ${megabytes(second)} in the second quarter to ${megabytes(last)} in the last${hint}`];
}

const text = { type: 'string' };
try {
  const { values } = parseArgs({
    options: {
      size: { ...text, default: '10GB' },
      format: { ...text, default: 'vally' },
      seed: { ...text, default: '1' },
      jobs: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(USAGE);
  else if (!(await soak(values))) process.exitCode = 1;
} catch (error) {
  console.error(`soak: ${error.message}`);
  process.exitCode = 2;
}
