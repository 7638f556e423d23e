import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { lines, ROOT, shell, trajstats } from '../support/trajstats.ts';

const VALLY = 'samples/vally/results.jsonl';

describe('the command line', () => {
  it('says its version, which is the one of package.json', () => {
    expect(trajstats(['--version']).out).toBe(`${VERSION}\n`);
    expect(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version).toBe(VERSION);
  });

  it('has help with examples for every command', () => {
    for (const args of [[], ['report'], ['metrics'], ['events']]) {
      const { code, out } = trajstats([...args, '--help']);
      expect(code).toBe(0);
      expect(out).toContain('Examples:');
      expect(out).toContain('PATH');
    }
  });

  it.skipIf(process.platform !== 'linux')('lets the threads of V8 stand back behind its own', async () => {
    const child = spawn(process.execPath, [path.join(ROOT, 'bin/trajstats.js'), 'metrics']);
    child.stdin.write(readFileSync(path.join(ROOT, VALLY)));
    // It is at work, and waits for more.
    await once(child.stdout, 'data');
    const tasks = `/proc/${child.pid}/task`;
    const priorityOf = (task: string) => Number(readFileSync(`${tasks}/${task}/stat`, 'utf8').split(' ')[18]);
    const priorities = readdirSync(tasks).map(priorityOf);
    child.stdin.end();
    await once(child, 'close');
    expect(priorities[0]).toBe(0);
    expect(priorities.filter((priority) => priority === 10).length).toBeGreaterThanOrEqual(4);
  });

  it('completes commands and flags', () => {
    expect(trajstats(['completion']).out).toContain('###-begin-trajstats-completions-###');
    expect(trajstats(['--get-yargs-completions', 'trajstats', 'me']).out).toContain('metrics');
  });

  it.each([
    [['--formt', 'json'], '--format'],
    [['metrics', '--wher', 'a=b'], '--where'],
    [['--format', 'jsn'], 'json'],
    [['--by', 'modle'], 'model'],
    [['--where', 'modle = x'], 'model'],
  ])('answers the slip in %j with a suggestion and exit code 2', (args, meant) => {
    const { code, out, err } = trajstats([...args, VALLY]);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain('did you mean');
    expect(err).toContain(meant);
  });

  it('takes a mistyped command for what was meant', () => {
    const { code, err } = trajstats(['metrcs', VALLY.replace('results', 'missing')]);
    expect(code).toBe(2);
    expect(err).toContain('trajstats metrics');
  });

  it.each([
    ['--jobs', '0'],
    ['--jobs', 'many'],
    ['--max-value-bytes', '-1'],
    ['--max-errors', 'some'],
    ['--out', 'report.docx'],
  ])('refuses %s %s', (flag, value) => {
    expect(trajstats([flag, value, VALLY]).code).toBe(2);
  });

  it('ends quietly when its reader has seen enough', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
    const big = path.join(folder, 'big.jsonl');
    writeFileSync(big, readFileSync(path.join(ROOT, VALLY), 'utf8').repeat(300));
    const { out, err } = shell(`{ trajstats metrics "${big}"; echo "code $?" >&2; } | head -1`);
    expect(lines(out)).toHaveLength(1);
    expect(err).toBe('code 0\n');
  });

  it('fails when the disk is full', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['bin/trajstats.js', 'metrics', VALLY], {
      cwd: ROOT,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).not.toBe(0);
    expect(stderr).toContain('cannot write');
  });

  it('writes several reports in one pass, and leaves nothing else behind', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
    const files = ['a.json', 'a.md', 'a.csv', 'a.html', 'a.txt'];
    const { code, out } = trajstats([VALLY, ...files.flatMap((file) => ['--out', path.join(folder, file)])]);
    expect(code).toBe(0);
    expect(out).toBe('');
    expect(readdirSync(folder).sort()).toEqual([...files].sort());
    expect(JSON.parse(readFileSync(path.join(folder, 'a.json'), 'utf8'))).toEqual(
      JSON.parse(trajstats([VALLY, '--format', 'json']).out),
    );
  });

  it('tells progress on stderr only, and only when asked or on a terminal', () => {
    expect(trajstats([VALLY]).err).toBe('');
  });
});

describe('exit codes and messages', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const good = readFileSync(path.join(ROOT, VALLY), 'utf8');
  const [first, second] = good.split('\n');

  it('a bad line in the middle is told with its place, and costs only itself', () => {
    const bad = file('bad.jsonl', `${first}\n{"type":"trial-result",\n\n${second}\n`);
    const { code, out, err } = trajstats(['metrics', bad]);
    expect(code).toBe(2);
    expect(lines(out).map((line) => JSON.parse(line).source.line)).toEqual([1, 4]);
    expect(lines(err)).toHaveLength(1);
    expect(err.startsWith(`${bad}:2: not valid JSON`)).toBe(true);
    const report = JSON.parse(trajstats([bad, '--format', 'json']).out);
    expect(report.input).toMatchObject({ lines: 4, good: 2, bad: 1, blank: 1, trajectories: 2 });
  });

  it('tolerates as many bad lines as it is told to', () => {
    const bad = file('some-bad.jsonl', `${first}\nnonsense\n${second}\n${second}\n`);
    expect(trajstats([bad]).code).toBe(2);
    expect(trajstats([bad, '--max-errors', '1']).code).toBe(0);
    expect(trajstats([bad, '--max-errors', '25%']).code).toBe(0);
    expect(trajstats([bad, '--max-errors', '24%']).code).toBe(2);
  });

  it('tells the first ten problems and counts the rest', () => {
    const bad = file('many-bad.jsonl', `${first}\n${'nonsense\n'.repeat(25)}`);
    const told = lines(trajstats([bad]).err);
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toContain('15 more');
  });

  it('a truncated tail is no error', () => {
    const cut = file('cut.jsonl', `${first}\n${second.slice(0, 400)}`);
    const { code, err } = trajstats([cut]);
    expect(code).toBe(0);
    expect(err).toContain(`${cut}:2: cut off`);
    const { input } = JSON.parse(trajstats([cut, '--format', 'json']).out);
    expect(input).toMatchObject({ lines: 1, good: 1, bad: 0, truncatedTails: 1, trajectories: 1 });
  });

  it.each([
    ['an empty file', '', 0],
    ['a file with only a summary', '{"type":"run-summary","passed":true,"evals":[]}\n', 0],
    ['a file of an unknown format', 'date,value\n2026-01-01,5\n', 2],
  ])('%s gets a clear answer', (name, text, expected) => {
    const log = file(`${name.replaceAll(' ', '-')}.jsonl`, text);
    const { code, out, err } = trajstats([log]);
    expect(code).toBe(expected);
    expect(out).toContain('0 trajectories');
    if (name !== 'a file with only a summary') expect(err).toContain(log);
    else expect(out).toContain('run-summary');
  });

  it('a missing file is named, and the rest is still reported', () => {
    const { code, out, err } = trajstats(['metrics', 'nowhere.jsonl', VALLY]);
    expect(code).toBe(2);
    expect(lines(out)).toHaveLength(15);
    expect(err).toContain('nowhere.jsonl: no such file');
  });

  it('a folder with no logs is named', () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
    const { code, err } = trajstats([empty]);
    expect(code).toBe(2);
    expect(err).toContain(`${empty}: no logs`);
  });
});
