import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, trajstats } from '../support/trajstats.ts';

const LOG = path.join(ROOT, 'samples/vally/results.jsonl');
const expected = trajstats(['metrics', LOG]);

/** A copy of the built program, to do things to. */
function copy(): { run: () => unknown; cache: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['bin', 'dist/program', 'package.json'])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const program = path.join(folder, 'dist/program');
  const cache = readdirSync(program).find((name) => name.startsWith('code-'));
  if (!cache) throw new Error('the build has kept no compiled code');
  const run = () => {
    const args = [path.join(folder, 'bin/trajstats.js'), 'metrics', LOG];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { code: status, out: stdout, err: stderr };
  };
  return { run, cache: path.join(program, cache) };
}

// Another version of Node may have built it.
const hasOwn = existsSync(path.join(ROOT, 'dist/program', `code-${process.versions.v8}-${process.arch}`));

test.skipIf(!hasOwn)('what V8 compiled when the program was built is used', () => {
  const script = `
    const { load, scripts } = require('./bin/load-program.js');
    const write = load('cli.js').main(['metrics', ${JSON.stringify(LOG)}, '--quiet']);
    write.then(() => console.error(JSON.stringify([...scripts.values()].map((one) => one.cachedDataRejected))));`;
  const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
  const rejected: unknown[] = JSON.parse(stderr);
  expect(rejected).not.toContain(true);
  // Some are loaded only by this command, and were not when the code was kept.
  expect(rejected.filter((one) => one === false).length).toBeGreaterThan(rejected.length / 2);
});

test('the program works without it', () => {
  const { run, cache } = copy();
  rmSync(cache);
  expect(run()).toEqual(expected);
});

test('the program works if it is broken', () => {
  const { run, cache } = copy();
  const whole = readFileSync(cache);
  truncateSync(cache, whole.length >> 1);
  expect(run()).toEqual(expected);
  writeFileSync(cache, Buffer.alloc(100));
  expect(run()).toEqual(expected);
  writeFileSync(cache, '');
  expect(run()).toEqual(expected);
});

test('other flags of V8 are none of its business', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--max-lazy', '--stack-size=2000', path.join(ROOT, 'bin/trajstats.js'), 'metrics', LOG],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: expected.out });
});
