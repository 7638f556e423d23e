import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addSkipped, inputAccount, mergeAccounts, newAccount } from '../../src/read/account.ts';
import { ROOT, trajstats } from '../support/trajstats.ts';
import { bytesOf, folderWith, SAMPLE_FILES } from '../support.ts';
import { PARSERS, readAll, trial } from './support.ts';

/** Kinds of lines: what stands on them, and what they count as. */
const KINDS = {
  good: fc.constantFrom(
    trial('a'),
    trial('é'),
    '{"type":"run-summary"}\n',
    ` \t${trial('b')}`,
    trial('c').replace('\n', '\r\n'),
  ),
  bad: fc.constantFrom(
    'nonsense\n',
    '{"type":\n',
    '[1]\n',
    '"x"\n',
    '\0\0\n',
    `${trial('a').trim()}${trial('b')}`,
    '{"a":"\x01"}\n',
    '\ufeff\ufeff{}\n',
  ),
  blank: fc.constantFrom('\n', ' \t\n', '\r\n', '\ufeff\n'),
};
const kind = fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[]));
const mix = fc.array(
  kind.chain((name) => KINDS[name].map((text) => ({ name, text }))),
  { maxLength: 12 },
);
const cuts = fc.array(fc.nat({ max: 1500 }), { maxLength: 8 });

describe('every line is on the account', () => {
  test.each(PARSERS)('lines = good + bad + blank, for any mix of lines (%s)', async (parser) => {
    await fc.assert(
      fc.asyncProperty(mix, cuts, async (all, at) => {
        const text = trial('first') + all.map((line) => line.text).join('');
        const { account, counts } = await readAll(text, { parser }, at);
        const count = (name: string) => all.filter((line) => line.name === name).length;
        expect(counts).toEqual({ good: 1 + count('good'), bad: count('bad'), blank: count('blank'), tails: 0 });
        expect(account.lines).toBe(1 + all.length);
      }),
      { numRuns: 150 },
    );
  });

  test.each(PARSERS)('lines = good + bad + blank, for any bytes at all (%s)', async (parser) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), cuts, async (bytes, behindALog, at) => {
        const { account, counts } = await readAll([behindALog ? trial('a') : '', bytes], { parser }, at);
        expect(account.lines).toBe(counts.good + counts.bad + counts.blank);
      }),
      { numRuns: 300 },
    );
  });

  const whole = trial('b').trim();
  test.each<[string, string, { bad: number; tails: number }, number]>([
    ['a last line without newline that is complete is used', whole, { bad: 0, tails: 0 }, 2],
    ['a last line that was cut off is a truncated tail and no bad line', whole.slice(0, -1), { bad: 0, tails: 1 }, 1],
    ['a line that was cut off and ended is a bad line', `${whole.slice(0, -1)}\n`, { bad: 1, tails: 0 }, 1],
    ['a last line that is no JSON at all counts as cut off', 'nonsense', { bad: 0, tails: 1 }, 1],
    [
      'a last line cut off in a character is a truncated tail',
      '{"type":"trial-result","stimulus":"\u00e9',
      { bad: 0, tails: 1 },
      1,
    ],
    ['spaces at the end are a blank line', '  ', { bad: 0, tails: 0 }, 1],
  ])('%s', async (_, tail, expected, rows) => {
    for (const parser of PARSERS) {
      const read = await readAll(trial('a') + tail, { parser });
      expect(read.counts).toMatchObject(expected);
      expect(read.rows).toHaveLength(rows);
    }
  });

  test('a truncated tail is told with its bytes', async () => {
    const { messages } = await readAll(`${trial('a')}{"é":`);
    expect(messages).toEqual(['2: cut off in the middle (6 bytes of an unfinished record at the end)']);
  });

  test('the account is in the report and on stderr', () => {
    const folder = folderWith({ 'a.jsonl': `${trial('a')}oops\n\n` });
    const { code, out, err } = trajstats(['a.jsonl'], { cwd: folder });
    expect(code).toBe(2);
    expect(out).toContain('3 lines: 1 good, 1 bad, 1 blank');
    expect(err).toMatch(/^a\.jsonl:2: not valid JSON: /);
  });
});

describe('how much is too much', () => {
  const log = trial('a') + 'bad\n'.repeat(2) + trial('b') + trial('c');
  test.each([
    ['1', 2],
    ['2', 0],
    ['39%', 2],
    ['40%', 0],
    ['-1', 2],
    ['1e3', 2],
    ['50 %', 2],
  ])('--max-errors %s with 2 bad lines of 5 ends with %i', (limit, expected) => {
    expect(trajstats(['metrics', `--max-errors=${limit}`], { input: log }).code).toBe(expected);
  });
});

describe('bad lines are kept', () => {
  const broken = [
    Buffer.from('{"a":"\xff\xfe"}', 'latin1'),
    bytesOf('{"né":'),
    bytesOf('\0\0'),
    bytesOf(' [1]\r'),
    bytesOf('x'.repeat(100_000)),
  ];
  const log = Buffer.concat([bytesOf(trial('a')), ...broken.flatMap((line) => [line, bytesOf(`\n\n${trial('b')}`)])]);

  test.each(PARSERS)('with their bytes exactly, and their places (%s)', async (parser) => {
    for (const at of [[], [1, 2, 3], Array.from({ length: 400 }, (_, n) => n * 37)]) {
      const { rejects } = await readAll(log, { parser }, at);
      expect(rejects.map(({ line }) => line)).toEqual([2, 5, 8, 11, 14]);
      expect(rejects.map(({ bytes }) => Buffer.from(bytes))).toEqual(broken.map((line) => Buffer.from(line)));
    }
  });

  test('by --rejects, as text or in base64, one JSON object a line', () => {
    const folder = folderWith({ 'a.jsonl': log });
    expect(trajstats(['a.jsonl', '--rejects', 'bad.jsonl', '--max-errors', '5'], { cwd: folder }).code).toBe(0);
    const kept = readFileSync(path.join(folder, 'bad.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kept.map(({ path: at, line }) => `${at}:${line}`)).toEqual(
      [2, 5, 8, 11, 14].map((line) => `a.jsonl:${line}`),
    );
    const bytes = kept.map(({ text, base64 }) => (base64 ? Buffer.from(base64, 'base64') : Buffer.from(text)));
    expect(bytes).toEqual(broken.map((line) => Buffer.from(line)));
  });

  test('a file for them that cannot be written ends the run with 2 and a message', () => {
    for (const file of ['/dev/full', 'nowhere/bad.jsonl']) {
      const { code, err } = trajstats(['--rejects', file], { input: log });
      expect([file, code]).toEqual([file, 2]);
      expect(err).toContain(`trajstats: cannot write ${file}`);
    }
  });

  // Known: `rejects.push(...part.rejects)` in pipeline.ts takes one argument per bad line.
  test('however many there are in one chunk', async () => {
    const { rejects } = await readAll(trial('a') + 'x\n'.repeat(300_000));
    expect(rejects).toHaveLength(300_000);
  });
});

/** Two threads for what is otherwise read by one. */
const SMALL_PARTS = { TRAJSTATS_BYTES_PER_THREAD: '4000000' };

describe('the number of jobs changes nothing', () => {
  let file = '';
  beforeAll(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
    file = path.join(folder, 'big.jsonl');
    const out = openSync(file, 'w');
    spawnSync(process.execPath, ['scripts/make-sample.mjs', '--format', 'vally', '--size', '9MB'], {
      cwd: ROOT,
      stdio: ['ignore', out, 'inherit'],
    });
    closeSync(out);
    const made = readFileSync(file);
    // Accidents all over the file, so that every part of it has some.
    const edited: Uint8Array[] = [];
    for (let n = 0, from = 0; n < 20; n++) {
      const to = made.indexOf(0x0a, Math.floor((made.length * (n + 1)) / 21)) + 1;
      const types = Array.from({ length: 12 }, (_, type) => `{"type":"other ${n * 12 + type}"}\n`).join('');
      const named = trial(
        n % 2 ? 'twice' : '__proto__',
        {},
        { events: [{ type: 'tool_call', data: { toolName: '__proto__' } }] },
      );
      edited.push(made.subarray(from, to), bytesOf(`{\n"bad ${n}\n\n${types}${named}`), Buffer.from([0xff, 0x0a]));
      from = to;
      if (n === 19) edited.push(made.subarray(from));
    }
    writeFileSync(file, '');
    for (const piece of edited) appendFileSync(file, piece);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test('of a report, with duplicates, bad lines and many types of records', () => {
    const [one, two] = [1, 2].map((jobs) =>
      trajstats([file, '--jobs', `${jobs}`, '--format', 'json', '--by', 'model'], { env: SMALL_PARTS }),
    );
    expect(one).toEqual(two);
    expect(one.code).toBe(2);
    const { input, total } = JSON.parse(one.out);
    expect(input).toMatchObject({ bad: 60, blank: 20, duplicates: 18, lines: input.good + input.bad + input.blank });
    expect(Object.keys(input.skipped)).toHaveLength(101);
    expect(total.tools.find(({ name }: { name: string }) => name === '__proto__').calls).toBe(20);
  });

  test('of --rejects and of the rows', () => {
    const [one, two] = [1, 2].map((jobs) => {
      const rejects = `${file}.rejects`;
      const run = trajstats(['metrics', file, '--jobs', `${jobs}`, '--dedupe', '--rejects', rejects], {
        env: SMALL_PARTS,
      });
      return { ...run, rejects: readFileSync(rejects, 'utf8') };
    });
    expect(one.rejects.trim().split('\n')).toHaveLength(60);
    expect(one).toEqual(two);
  });

  test('of standard input before, between and behind files', () => {
    const input = trial('from a pipe');
    for (const paths of [
      ['-', file],
      [file, '-', file],
      [file, '-'],
    ]) {
      const [one, two] = [1, 2].map((jobs) =>
        trajstats(['metrics', ...paths, '--jobs', `${jobs}`, '--max-errors', '50%'], { input, env: SMALL_PARTS }),
      );
      expect(one).toEqual(two);
      expect(one.code).toBe(0);
      expect(one.out.match(/"task":"from a pipe"/g)).toHaveLength(1);
    }
  });

  test('of any of the samples, scanned ahead', () => {
    for (const sample of SAMPLE_FILES) {
      const run = (jobs: number, command: string) =>
        trajstats([command, sample, '--jobs', `${jobs}`], { env: { TRAJSTATS_BYTES_PER_THREAD: '1' } });
      for (const command of ['metrics', 'report']) expect(run(2, command)).toEqual(run(1, command));
    }
  }, 60_000);

  test('a thread that dies fails the run, which then reports nothing', () => {
    // At its start, or of its first task.
    const first = (death: string) =>
      `const { parentPort } = require('node:worker_threads'); parentPort?.once('message', () => { ${death} });`;
    const folder = folderWith({
      'end.cjs': first('process.exit(3);'),
      'throw.cjs': "if (require('node:worker_threads').parentPort) throw new Error('oops');",
      'grow.cjs': first('const all = []; for (;;) all.push(new Array(1e5).fill(0.5));'),
    });
    for (const [name, reason] of [
      ['end.cjs', 'it ended with code 3'],
      ['throw.cjs', 'oops'],
      ['grow.cjs', 'Worker terminated due to reaching memory limit: JS heap out of memory'],
    ])
      for (const [command, ...files] of [
        ['report', file, file, file, file],
        ['metrics', file, file, file, file],
        // A thread that scans ahead.
        ['report', file],
        ['metrics', file],
      ]) {
        const options = `--require ${path.join(folder, name)} --max-old-space-size=200`;
        const env = { ...SMALL_PARTS, NODE_OPTIONS: options };
        const { code, out, err } = trajstats([command, ...files, '--jobs', '2'], { env });
        expect(code).toBe(2);
        expect(err).toContain(`a worker thread died (${reason})`);
        if (command === 'report') expect(out).toBe('');
      }
  });
});

describe('what was seen before', () => {
  const log = trial('a') + trial('b') + trial('a') + trial('a', { model: 'other' }) + trial('a');

  test('is counted and named, and stays', async () => {
    const { account, tasks, messages } = await readAll(log);
    expect(tasks).toEqual(['a', 'b', 'a', 'a', 'a']);
    expect(account.duplicates).toBe(2);
    expect(messages).toEqual([3, 5].map((line) => `${line}: a duplicate: the trajectory "a" was seen before`));
  });

  test('is left out by --dedupe, and the first is kept', async () => {
    const { account, rows } = await readAll(log, { dedupe: true });
    expect(rows.map(({ source }) => source.line)).toEqual([1, 2, 4]);
    expect(account).toMatchObject({ duplicates: 2, lines: 5, good: 5 });
  });

  test('is named behind all other problems, in whatever parts the input was read', async () => {
    const { messages } = await readAll(`${trial('a')}${trial('a')}oops\n`);
    expect(messages.map((message) => message.slice(0, 2))).toEqual(['3:', '2:']);
  });
});

test('types of skipped records are bounded, and which are kept does not depend on the parts', () => {
  const names = Array.from({ length: 5000 }, (_, n) => `type ${n % 1700}`);
  const accountOf = (some: string[]) => {
    const account = newAccount();
    for (const name of some) addSkipped(account, name);
    return account;
  };
  const whole = inputAccount(accountOf(names)).skipped;
  expect(Object.keys(whole)).toHaveLength(101);
  expect(Object.values(whole).reduce((sum, count) => sum + count)).toBe(5000);
  for (const cut of [1, 150, 1700, 4000])
    expect(inputAccount(mergeAccounts(accountOf(names.slice(0, cut)), accountOf(names.slice(cut)))).skipped).toEqual(
      whole,
    );
});
