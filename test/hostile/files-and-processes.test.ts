import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ROOT, shell, trajstats } from '../support/trajstats.ts';
import { bytesOf, folderWith, read, stream, zstdStored } from '../support.ts';
import { readAll, trial } from './support.ts';

const [a, b] = [trial('a'), trial('b')];
const PROGRAM = path.join(ROOT, 'bin/trajstats.js');
const tasksIn = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).task);

describe('paths', () => {
  test('links in a circle, and out of a folder, are not followed; a link that is named is', async () => {
    const outside = folderWith({ 'secret.jsonl': b });
    const folder = folderWith({ 'a.jsonl': a, 'deep/x.txt': '' });
    symlinkSync('..', path.join(folder, 'deep/up'));
    symlinkSync(outside, path.join(folder, 'out'));
    symlinkSync(path.join(outside, 'secret.jsonl'), path.join(folder, 'secret.jsonl'));
    for (const [one, other] of [
      ['p', 'q'],
      ['q', 'p'],
    ])
      symlinkSync(`${one}.jsonl`, path.join(folder, `${other}.jsonl`));
    expect((await read([folder])).rows.map(({ task }) => task)).toEqual(['a']);
    expect((await read([path.join(folder, 'secret.jsonl')])).rows.map(({ task }) => task)).toEqual(['b']);
    const { account } = await read([path.join(folder, 'p.jsonl')]);
    expect(account.problems).toMatchObject([{ message: 'links that lead in a circle' }]);
    expect(account.unreadable).toBe(1);
  });

  test('a pipe is read where it is named, and passed by in a folder', () => {
    const folder = folderWith({ 'a.jsonl': a });
    spawnSync('mkfifo', [path.join(folder, 'pipe.jsonl')]);
    expect(
      tasksIn(shell('cat a.jsonl > pipe.jsonl & timeout 10 trajstats metrics pipe.jsonl', { cwd: folder }).out),
    ).toEqual(['a']);
    expect(tasksIn(shell('timeout 10 trajstats metrics .', { cwd: folder }).out)).toEqual(['a']);
  });

  test('a socket is refused where it is named, and passed by in a folder', async () => {
    const folder = folderWith({ 'a.jsonl': a });
    const server = createServer().listen(path.join(folder, 's.jsonl'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { code, err } = trajstats(['s.jsonl'], { cwd: folder });
    expect([code, err]).toEqual([2, 's.jsonl: a socket, not a file\n']);
    expect(trajstats(['metrics', '.'], { cwd: folder })).toMatchObject({ code: 0, err: '' });
  });

  test.skipIf(process.getuid?.() === 0)('a file that may not be read is told of, and the others are read', () => {
    const folder = folderWith({ 'a.jsonl': a, 'b.jsonl': b });
    chmodSync(path.join(folder, 'b.jsonl'), 0);
    const { code, out, err } = trajstats(['metrics', '.'], { cwd: folder });
    expect([code, tasksIn(out), err]).toEqual([2, ['a'], 'b.jsonl: permission denied\n']);
  });

  test('a file that cannot be read to its end is told of, and the others are read', () => {
    const folder = folderWith({ 'a.jsonl': a });
    const { code, out, err } = trajstats(['metrics', '/proc/self/mem', 'a.jsonl'], { cwd: folder });
    expect([code, tasksIn(out)]).toEqual([2, ['a']]);
    expect(err).toMatch(/^\/proc\/self\/mem: .*\n$/);
  });

  test('a file that vanishes before it is its turn is told of', async () => {
    const folder = folderWith({ 'b.jsonl': b });
    const file = path.join(folder, 'b.jsonl');
    const chunks = function* () {
      rmSync(file);
      yield bytesOf(a);
    };
    const { rows, account } = await read([{ name: 'first', chunks: chunks() }, file], { jobs: 1 });
    expect(rows.map(({ task }) => task)).toEqual(['a']);
    expect(account.problems).toEqual([{ path: file, line: null, message: 'no such file or folder' }]);
  });

  test('a log whose name is not UTF-8 is told of', async () => {
    const folder = folderWith({ 'a.jsonl': a });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.jsonl')]), b);
    const { rows, account } = await read([folder]);
    expect(rows).toHaveLength(1);
    expect(account.problems).toMatchObject([{ message: 'its name is not UTF-8; rename it to have it read' }]);
    expect(account.unreadable).toBe(1);
  });

  test.each([
    ['a folder', '< .', '(stdin): a folder, not a file\n', 2],
    ['closed', '<&-', '(stdin): empty: it holds no records\n', 0],
    ['empty', '< /dev/null', '(stdin): empty: it holds no records\n', 0],
  ])('standard input that is %s gets a clear answer', (_, redirection, message, expected) => {
    const { code, err } = shell(`timeout 10 trajstats ${redirection}`);
    expect([code, err]).toEqual([expected, message]);
  });

  test('a log that is to be read is never written over, by any of its names', () => {
    const folder = folderWith({ 'a.json': a });
    symlinkSync('a.json', path.join(folder, 'link.json'));
    linkSync(path.join(folder, 'a.json'), path.join(folder, 'hard.json'));
    for (const flag of ['--out', '--rejects'])
      for (const file of flag === '--out' ? ['a.json', 'link.json'] : ['./a.json', 'hard.json']) {
        const { code, err } = trajstats(['a.json', flag, file], { cwd: folder });
        expect([code, err]).toEqual([2, expect.stringContaining(`refused to write ${file}`)]);
        expect(readFileSync(path.join(folder, 'a.json'), 'utf8')).toBe(a);
      }
  });
});

describe('the split layout', () => {
  const EVENTS = JSON.stringify([{ type: 'user', message: { content: 'x' } }]);

  test('a path that leads out of the folder, or to anything but a file, is refused and never opened', async () => {
    const folder = folderWith({ 'logs/good.json': EVENTS, 'secret.json': EVENTS, 'logs/sub/x.json': EVENTS });
    symlinkSync('../secret.json', path.join(folder, 'logs/link.json'));
    symlinkSync('..', path.join(folder, 'logs/up'));
    spawnSync('mkfifo', [path.join(folder, 'logs/pipe.json')]);
    const paths = [
      'good.json',
      'sub/x.json',
      '../secret.json',
      path.join(folder, 'secret.json'),
      'link.json',
      'up/secret.json',
      'sub/../../secret.json',
      'pipe.json',
      '.',
      '',
      '/dev/zero',
      'nul\0.json',
      'missing.json',
      's.trials.json/x',
      '..',
      `${'x/'.repeat(3000)}y`,
    ];
    const log = path.join(folder, 'logs/s.trials.json');
    writeFileSync(log, JSON.stringify(paths.map((trajectory, n) => ({ instance_id: `${n}`, trajectory }))));
    const { rows, account } = await read([log]);
    expect(rows.map(({ messages }) => messages.user)).toEqual(paths.map((_, n) => (n < 2 ? 1 : 0)));
    expect(account).toMatchObject({ unreadable: paths.length - 2, good: paths.length + 2, bad: 0 });
    for (const { path: at, message } of account.problems) {
      expect(at).toBe(log);
      expect(message).toMatch(/^element \d+: (refused to|cannot) read /);
    }
  });
});

describe('compressed data', () => {
  const text = Array.from({ length: 3000 }, (_, n) => trial(`${n}`, { x: n * 7919 })).join('');
  const gz = gzipSync(text);
  const zst = zstdStored(bytesOf(text));
  test.each<[string, Uint8Array, number, RegExp | null]>([
    ['gzip, several members one after the other', Buffer.concat([gzipSync(a), gzipSync(''), gzipSync(b)]), 2, null],
    [
      'zstd, several frames one after the other',
      Buffer.concat([zstdStored(bytesOf(a)), zstdStored(bytesOf(b))]),
      2,
      null,
    ],
    ['gzip, compressed twice', gzipSync(gz), 3000, null],
    ['zstd in gzip in zstd', zstdStored(gzipSync(zstdStored(bytesOf(text)))), 3000, null],
    [
      'gzip, compressed too often',
      [1, 2, 3, 4].reduce<Uint8Array>((bytes) => gzipSync(bytes), bytesOf(a)),
      0,
      /compressed more than 3 times/,
    ],
    ['gzip with zeros behind it', Buffer.concat([gz, Buffer.alloc(512)]), 3000, null],
    [
      'gzip with garbage behind it',
      Buffer.concat([gz, bytesOf('garbage, and more of it')]),
      3000,
      /garbage behind the end/,
    ],
    [
      'zstd with garbage behind it',
      Buffer.concat([zst, bytesOf('garbage, and more of it')]),
      3000,
      /broken compressed data/,
    ],
    ['gzip with a wrong checksum', Buffer.concat([gz.subarray(0, -8), Buffer.alloc(8)]), 3000, /checksum is wrong/],
    ['gzip of which only the magic number is there', gz.subarray(0, 3), 0, /broken compressed data/],
  ])('%s: good lines are kept, and what is wrong is told', async (_, packed, rows, problem) => {
    for (const cuts of [[], [1, 2, 3, 4, 5], [packed.length - 9, packed.length - 1]]) {
      const found = await readAll(packed, {}, cuts);
      expect(found.rows).toHaveLength(rows);
      expect(found.account.unreadable).toBe(problem ? 1 : 0);
      if (problem) expect(found.messages.join('\n')).toMatch(problem);
      expect(found.counts.bad).toBe(0);
    }
  });

  test.each([
    ['gzip', gz],
    ['zstd', zst],
  ])('%s that was cut off anywhere gives what is whole, and the error', async (_, packed) => {
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      const { rows, account, tasks } = await readAll(packed.subarray(0, Math.floor(packed.length * part)));
      expect(tasks).toEqual(Array.from(rows, (_, n) => `${n}`));
      expect(account).toMatchObject({ unreadable: 1, bad: 0, lines: rows.length });
    }
  });

  test('a bomb is stopped, and what came before it stays', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const packed = Buffer.concat([gzipSync(a), ...Array.from({ length: 40 }, () => bomb)]);
    const { rows, account } = await read([stream(packed)]);
    expect(rows.map(({ task }) => task)).toEqual(['a']);
    expect(account.problems[0].message).toMatch(/becomes more than 200 times as large; --max-expansion allows more$/);
    expect(account.unreadable).toBe(1);
  });
});

describe('output is complete, or the exit code says so', () => {
  test.each([['report'], ['metrics --format csv'], ['events'], ['--help']])(
    'trajstats %s on a full disk fails',
    (command) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(
        process.execPath,
        [PROGRAM, ...command.split(' '), 'samples/vally/results.jsonl'],
        { cwd: ROOT, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
      );
      closeSync(full);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^cannot write the output: ENOSPC/)]);
    },
  );

  test('a report that does not fit on the disk is not there at all', () => {
    const folder = folderWith({ 'a.jsonl': a });
    const { code } = shell('ulimit -f 1; trajstats a.jsonl --out report.html', { cwd: folder });
    expect(code).not.toBe(0);
    expect(existsSync(path.join(folder, 'report.html'))).toBe(false);
  });

  test('a slow reader gets everything', () => {
    const folder = folderWith({ 'a.jsonl': Array.from({ length: 4000 }, (_, n) => trial(`${n}`)).join('') });
    const { out } = shell('trajstats metrics a.jsonl | { sleep 0.5; wc -l; }', { cwd: folder });
    expect(Number(out)).toBe(4000);
  });

  test('a reader that goes away ends it quietly, in every command', () => {
    const folder = folderWith({
      'a.jsonl': Array.from({ length: 4000 }, (_, n) => trial(`${n}`, {}, { events: [{ type: 'x' }] })).join(''),
    });
    for (const command of ['metrics', 'events', 'metrics --format csv'])
      expect(
        shell(`{ timeout 20 trajstats ${command} a.jsonl; echo "code $?" >&2; } | head -1`, { cwd: folder }).err,
      ).toBe('code 0\n');
  });
});

describe('a process that is stopped', () => {
  const old = '{"type":"report","old":true}\n';
  /** Enough rows for a report that takes a moment to write. */
  const log = Array.from({ length: 1200 }, (_, n) => trial(`task ${n}`, { model: `model ${n}` })).join('');

  async function stopped(signal: NodeJS.Signals, when: 'while it writes' | number) {
    const folder = folderWith({ 'a.jsonl': log, 'out/report.json': old });
    const out = path.join(folder, 'out');
    const child = spawn(
      process.execPath,
      [PROGRAM, 'a.jsonl', '--by', 'model,task', '--out', 'out/report.json', '--out', 'out/second.html'],
      { cwd: folder, stdio: 'ignore' },
    );
    const watcher = watch(out, (_, name) => {
      if (when === 'while it writes' && name?.endsWith('.partial')) child.kill(signal);
    });
    const timer = typeof when === 'number' ? setTimeout(() => child.kill(signal), when) : undefined;
    const [code, by] = await once(child, 'exit');
    watcher.close();
    clearTimeout(timer);
    const report = readFileSync(path.join(out, 'report.json'), 'utf8');
    const names = readdirSync(out);
    return {
      ended: by ?? code,
      report,
      names,
      second: names.includes('second.html') ? readFileSync(path.join(out, 'second.html'), 'utf8') : null,
    };
  }

  const moments = ['while it writes', 'while it writes', 50 + 400 * Math.random()] as const;
  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'by %s leaves the old report or the new one, never half of one',
    async (signal) => {
      for (const when of moments) {
        const { ended, report, names, second } = await stopped(signal, when);
        expect([signal, 0]).toContain(ended);
        expect(() => JSON.parse(report)).not.toThrow();
        if (ended === 0) expect(report).not.toBe(old);
        if (second !== null) expect(second.trimEnd().endsWith('</html>')).toBe(true);
        const known = names.filter((name) => name !== 'report.json' && name !== 'second.html');
        if (signal === 'SIGKILL') for (const name of known) expect(name).toMatch(/^\..*\.partial$/);
        else expect(known).toEqual([]);
      }
    },
  );

  test('by SIGTERM while it waits for standard input ends at once', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'metrics'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.write(a);
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

test('a row is printed as soon as its line is there, while more may still come', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'metrics'], { stdio: ['pipe', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  // Standard input stays open: whoever waited for its end, or for the next line, would wait for ever.
  for (const count of [1, 2, 3]) {
    child.stdin.write(a);
    await vi.waitFor(() => expect(out.split('\n')).toHaveLength(count + 1), { timeout: 10_000 });
  }
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 30_000);
