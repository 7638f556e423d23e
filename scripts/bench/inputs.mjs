import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GENERATOR = fileURLToPath(new URL('../make-sample.mjs', import.meta.url));
const PARTS = fileURLToPath(new URL('sample/', import.meta.url));

/** The folder of the inputs: named after the generator's code, so that a changed generator makes them anew. */
function inputFolder() {
  const hash = createHash('sha1').update(readFileSync(GENERATOR));
  for (const name of readdirSync(PARTS).sort()) hash.update(readFileSync(join(PARTS, name)));
  return join(tmpdir(), `trajstats-bench-${hash.digest('hex').slice(0, 8)}`);
}
const FOLDER = inputFolder();
const DUCKDB = join(tmpdir(), 'trajstats-bench-duckdb');

/** Makes a sample, or finds the one of an earlier run: its path, its name without a folder, and its summary. */
export function sample(args, log) {
  mkdirSync(FOLDER, { recursive: true });
  const name = `${args.join('').replaceAll('--', '-').slice(1)}${args.includes('trials') ? '.json' : '.jsonl'}`;
  const path = join(FOLDER, name);
  const summary = `${path}.summary`;
  if (!existsSync(summary)) {
    log(`making ${name}`);
    const output = openSync(`${path}.part`, 'w');
    const made = spawnSync(process.execPath, [GENERATOR, ...args, '--summary'], { stdio: ['ignore', output, 'pipe'] });
    if (made.status !== 0) throw new Error(`make-sample ${args.join(' ')}: ${made.stderr}`);
    renameSync(`${path}.part`, path);
    writeFileSync(summary, made.stderr);
  }
  return { path, name, ...JSON.parse(readFileSync(summary, 'utf8')) };
}

/** A folder of small files with a few trials each. */
export function smallFiles(count, log) {
  const path = join(FOLDER, `small-files-${count}`);
  const all = sample(['--format', 'vally', '--records', String(count), '--record-size', '4KB'], log);
  if (!existsSync(path)) {
    log(`making ${count} small files`);
    const lines = readFileSync(all.path, 'utf8').trimEnd().split('\n').slice(0, count); // without the run-summary
    for (const [i, line] of lines.entries()) {
      const folder = join(`${path}.part`, String(Math.floor(i / 100)).padStart(3, '0'));
      if (i % 100 === 0) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `results-${String(i % 100).padStart(2, '0')}.jsonl`), `${line}\n`);
    }
    renameSync(`${path}.part`, path);
  }
  return { ...all, path, name: `${count} files` };
}

/** Where `@duckdb/node-api` is: fetched once, never into the project. Null, with a message, if it cannot be had. */
export function duckdb(log) {
  const found = join(DUCKDB, 'node_modules', '@duckdb', 'node-api', 'package.json');
  if (!existsSync(found)) {
    log('fetching @duckdb/node-api');
    mkdirSync(DUCKDB, { recursive: true });
    writeFileSync(join(DUCKDB, 'package.json'), '{"private":true}\n');
    const made = spawnSync('npm', ['install', '--no-audit', '--no-fund', '@duckdb/node-api'], { cwd: DUCKDB });
    if (made.status !== 0) {
      log('DuckDB is skipped: npm could not fetch @duckdb/node-api');
      return null;
    }
  }
  return { folder: DUCKDB, version: JSON.parse(readFileSync(found, 'utf8')).version };
}

/** Removes all that the benchmark keeps between runs, also what earlier versions of the generator made. */
export function clean() {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith('trajstats-bench-')) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
