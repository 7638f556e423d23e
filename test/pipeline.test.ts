import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReport, readRows } from '../src/index.ts';
import {
  bytesOf,
  eventsOf,
  folderWith,
  lines,
  messagesOf,
  RECORDS,
  read,
  rowsOf,
  SAMPLE_FILES,
  SMALL_LOGS,
  stream,
  textOf,
  withoutSource,
  zstdStored,
} from './support.ts';

const { trialResult, instance, conversation } = RECORDS;
/** Another trial of the same: two trajectories with one id would be duplicates. */
const trial = (id: string) => ({ ...trialResult, trajectory: { ...trialResult.trajectory, id } });
const BY = ['model', 'outcome', 'format'] as const;

describe('chunk borders never change a result', () => {
  test.each(Object.keys(SMALL_LOGS))('%s, cut at every position', async (name) => {
    const bytes = bytesOf(SMALL_LOGS[name]);
    const whole = await read([stream(bytes)]);
    expect(whole.rows.length).toBeGreaterThan(0);
    for (let cut = 1; cut < bytes.length; cut++) {
      const parts = await read([stream(bytes, 'log', [cut])]);
      if (parts.rows.length !== whole.rows.length) expect({ cut, ...parts }).toEqual({ cut, ...whole });
      expect(parts).toEqual(whole);
    }
  });

  test.each([...SAMPLE_FILES])('%s, cut anywhere', async (file) => {
    const bytes = readFileSync(file);
    const whole = await read([stream(bytes, file)]);
    const events = await eventsOf([stream(bytes, file)]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), async (cuts) => {
        expect(await read([stream(bytes, file, cuts)])).toEqual(whole);
        expect(await eventsOf([stream(bytes, file, cuts)])).toEqual(events);
      }),
      { numRuns: 12 },
    );
  });

  test.each([...SAMPLE_FILES])('%s, byte by byte', async (file) => {
    const bytes = readFileSync(file);
    const everywhere = [...bytes.keys()];
    expect(await read([stream(bytes, file, everywhere)])).toEqual(await read([stream(bytes, file)]));
  });

  test('bad lines, blank lines and a cut-off tail are counted the same', async () => {
    const short = lines({ type: 'trial-result', stimulus: 'é', status: 'skipped' });
    const text = `${short}{"a":\n\n \t\r\n[1,2\n${short}{"type":"trial-result","é":"😀`;
    const bytes = bytesOf(text);
    const whole = await read([stream(bytes)]);
    expect(whole.account).toMatchObject({ lines: 6, good: 2, bad: 2, blank: 2, truncatedTails: 1 });
    for (let cut = 1; cut < bytes.length; cut++) expect(await read([stream(bytes, 'log', [cut])])).toEqual(whole);
  });
});

test('batches are never empty', async () => {
  const log = lines(trial('a'), trial('a'), trial('b'));
  const sizes = async (options?: Parameters<typeof readRows>[1]) => {
    const found: number[] = [];
    for await (const rows of readRows([stream(log, 'log', [...bytesOf(log).keys()])], options)) found.push(rows.length);
    return found;
  };
  expect(await sizes()).toEqual([1, 1, 1]);
  expect(await sizes({ dedupe: true })).toEqual([1, 1]);
});

describe('compressed logs', () => {
  const file = 'samples/vally/results.jsonl';
  const bytes = readFileSync(file);
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
  const half = bytes.lastIndexOf(0x0a, bytes.length / 2) + 1;
  const ways: [string, Uint8Array][] = [
    ['gzip', zlib.gzipSync(bytes)],
    [
      'gzip, several members',
      Buffer.concat([bytes.subarray(0, half), bytes.subarray(half)].map((part) => zlib.gzipSync(part))),
    ],
    [
      'gzip, members that end within a line',
      Buffer.concat([0, 999, half + 7].map((from, i, all) => zlib.gzipSync(bytes.subarray(from, all[i + 1])))),
    ],
    ['gzip of gzip', zlib.gzipSync(zlib.gzipSync(bytes))],
    ['zstd, stored', zstdStored(bytes)],
    ['zstd, several frames', Buffer.concat([zstdStored(bytes.subarray(0, half)), zstdStored(bytes.subarray(half))])],
    ['zstd of gzip', zstdStored(zlib.gzipSync(bytes))],
    ...(zstdCompressSync ? [['zstd, by zlib', zstdCompressSync(bytes)] as [string, Uint8Array]] : []),
  ];

  test.each(ways)('%s gives the same rows', async (_, compressed) => {
    const plain = await read([stream(bytes, 'log')]);
    expect(plain.rows).toHaveLength(15);
    for (const cuts of [[], [1], [2, 3], [...compressed.keys()].filter((at) => at < 40 || at % 61 === 0)]) {
      const { rows, account } = await read([stream(compressed, 'log', cuts)]);
      expect(rows).toEqual(plain.rows);
      expect(account).toEqual({ ...plain.account, bytes: compressed.length });
    }
  });

  test('a real zstd frame, with a compressed block, is read', async () => {
    const frame =
      'KLUv/STiFQMAQkYUFMA9//53D2tkKEqSVdwCxDolPaosIL9nY3EqKV0uTj7Za0T12z8S2fUO6HnxGleNMrlwut568fUkXQz9L+jYFP+56rvITsb14qo5Lu4eVccBBADpQh4sFHrozjhgkwwhcPsG';
    const events = await eventsOf([stream(Buffer.from(frame, 'base64'))]);
    const la = (times: number) => Array.from({ length: times }, () => 'la').join(' ');
    expect(events.map(({ data }) => data)).toEqual([{ content: `${la(18)} é` }, { content: la(16) }]);
  });

  test('compression is told by content, never by the name', async () => {
    const folder = folderWith({
      'plain.jsonl.gz': lines(trialResult),
      'packed.jsonl': zlib.gzipSync(lines(trialResult)),
    });
    expect((await rowsOf([folder])).map((row) => row.id)).toEqual(['t-1', 't-1']);
  });

  test('a gzip file that was cut off keeps its good part, and is reported as unreadable', async () => {
    const records = Array.from({ length: 3000 }, (_, n) => ({
      type: 'trial-result',
      stimulus: `task ${n}`,
      status: 'error',
      error: `${n * 7919}`,
    }));
    const packed = zlib.gzipSync(lines(...records));
    const { rows, account } = await read([stream(packed.subarray(0, packed.length * 0.7), 'cut.jsonl.gz')]);
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows.length).toBeLessThan(3000);
    expect(rows.map((row) => row.task)).toEqual(records.slice(0, rows.length).map(({ stimulus }) => stimulus));
    expect(account.unreadable).toBe(1);
    expect(messagesOf(account)[0]).toMatch(/^cut\.jsonl\.gz:: broken compressed data: /);
  });
});

describe('logs put together with cat', () => {
  const compact = (value: unknown) => JSON.stringify(value);
  const pretty = (value: unknown) => JSON.stringify(value, null, 2);
  const other = { ...conversation, task: { id: 'sdk-2' }, error: 'x' };
  const cases: [string, string, string][] = [
    ['vally lines', textOf('samples/vally/results.jsonl'), textOf('samples/vally/legacy.jsonl')],
    ['vally lines, each with a byte-order mark', `\ufeff${lines(trialResult)}`, `\ufeff${lines(RECORDS.legacyResult)}`],
    ['trials arrays', textOf('samples/trials/suite.trials.json'), compact([instance])],
    [
      'trials arrays without a newline between',
      compact([instance, instance]),
      compact([{ ...instance, instance_id: 'b' }]),
    ],
    ['bare arrays of events', compact(instance.trajectory), pretty(instance.trajectory)],
    ['an empty trials array and a full one', '[]', compact([instance])],
    ['sdk lines', textOf('samples/sdk/conversation-lines.jsonl'), lines(conversation)],
    ['sdk documents', textOf('samples/sdk/conversation.json'), pretty(other)],
    ['sdk documents without a newline at their ends', pretty(conversation), pretty(other)],
    ['sdk documents on one line', compact(conversation), compact(other)],
    ['sdk arrays', textOf('samples/sdk/conversations.json'), pretty([other])],
    ['forecast trajectories', pretty(RECORDS.forecastTrajectory), pretty(RECORDS.forecastTrajectory)],
  ];

  test.each(cases)('%s: one stream of a and b gives what a and b give', async (_, a, b) => {
    const two = await read([stream(a, 'x'), stream(b, 'x')]);
    const one = await read([stream(a + b, 'x')]);
    expect(two.account.bad + two.account.unreadable).toBe(0);
    expect(two.rows.length).toBeGreaterThan(0);
    expect(withoutSource(one.rows)).toEqual(withoutSource(two.rows));
    expect(one.account).toEqual({ ...two.account, files: 1 });
  });
});

describe('rows read back', () => {
  const inputs = [
    ...SAMPLE_FILES.filter((file) => !file.startsWith('samples/trials/trials')),
    'samples/forecast/nightly',
  ];

  test('are the same rows', async () => {
    const rows = await rowsOf(inputs);
    expect(rows.length).toBeGreaterThan(30);
    expect(await rowsOf([stream(lines(...rows), 'rows')])).toEqual(rows);
  });

  test.each([[[]], [['model']], [['task', 'outcome']], [['day', 'format', 'executor', 'variant']]] as const)(
    'give the report that the logs give, by %j',
    async (by) => {
      const rows = await rowsOf(inputs);
      const fromLogs = (await readReport([...inputs], [...by])).report;
      const fromRows = (await readReport([stream(lines(...rows), 'rows')], [...by])).report;
      expect(fromLogs.total.trajectories).toBe(rows.length);
      expect(JSON.stringify({ ...fromRows, input: null })).toBe(JSON.stringify({ ...fromLogs, input: null }));
    },
  );

  test('a filter in the middle leaves the others as they were', async () => {
    const rows = (await rowsOf(inputs)).filter((row) => row.format !== 'vally');
    const { report } = await readReport([stream(lines(...rows))], [...BY]);
    expect(report.total.trajectories).toBe(rows.length);
    expect(report.groups.map(({ key }) => key.format)).not.toContain('vally');
  });

  test('hold no events, and say so', async () => {
    const rows = await rowsOf(['samples/sdk/conversation.json']);
    expect(await eventsOf([stream(lines(...rows))])).toEqual([]);
  });

  test('lying in a folder of logs are not counted again', async () => {
    const rows = await rowsOf([stream(lines(trialResult))]);
    const folder = folderWith({ 'a.jsonl': lines(trialResult), 'a.rows.jsonl': lines(...rows) });
    expect(await rowsOf([folder])).toHaveLength(1);
    expect(await rowsOf([path.join(folder, 'a.rows.jsonl')])).toHaveLength(1);
  });
});

describe('event lines', () => {
  test('carry the trajectory, the source and the event as it stands in the log, in order', async () => {
    const odd = {
      type: 'tool_result',
      timestamp: '2026-01-05T10:00:02Z',
      turn: 3,
      data: { toolCallId: 'a', result: { content: 'é\n"😀"' } },
    };
    const unknown = { type: 'telemetry', data: { deep: [{ n: [1.5, null, true] }] } };
    const record = { ...trialResult, trajectory: { ...trialResult.trajectory, events: [odd, unknown], id: 'last' } };
    expect(await eventsOf([stream(`\n${lines(record)}`, 'a.jsonl')])).toEqual([
      { trajectoryId: 'last', source: { path: 'a.jsonl', line: 2, index: null }, ...odd },
      { trajectoryId: 'last', source: { path: 'a.jsonl', line: 2, index: null }, ...unknown, timestamp: null },
    ]);
  });

  test('of every trajectory keep their order, also of those in files of their own', async () => {
    const folder = folderWith({
      's.trials.json': JSON.stringify([
        { ...instance, trajectory: 'trials/a.json' },
        { ...instance, instance_id: 'b' },
      ]),
      'trials/a.json': JSON.stringify([{ type: 'user', message: { content: 'first' } }]),
    });
    const file = path.join(folder, 's.trials.json');
    const events = await eventsOf([file]);
    expect(events[0]).toEqual({
      trajectoryId: instance.instance_id,
      source: { path: file, line: null, index: 0 },
      type: 'user_message',
      timestamp: null,
      data: { content: 'first' },
    });
    expect(new Set(events.slice(1).map(({ trajectoryId }) => trajectoryId))).toEqual(new Set(['b']));
  });

  test('fold to the rows that the log gives', async () => {
    const rows = await rowsOf(['samples/vally/results.jsonl']);
    const events = await eventsOf(['samples/vally/results.jsonl']);
    for (const { id, metrics } of rows.filter((row) => row.metrics.toolCallCount !== null)) {
      const own = events.filter(({ trajectoryId }) => trajectoryId === id);
      expect(own.filter(({ type }) => type === 'tool_call')).toHaveLength(metrics.toolCallCount!);
      expect(own.filter(({ type }) => type === 'turn_end')).toHaveLength(metrics.turnCount!);
    }
  });

  test('of a record that turns out bad are never given', async () => {
    const good = JSON.stringify(trialResult);
    const events = await eventsOf([stream(`${good.slice(0, -1)},]\n${good}\n${good.slice(0, -30)}`)]);
    expect(events.map(({ source }) => (source as { line: number }).line)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe('logs that are not as they should be', () => {
  test('a bad line in the middle costs only itself, and is named by its place', async () => {
    const { rows, account } = await read([
      stream(`${lines(trial('a'))}{"type": nope}\n\n${lines(trial('b'))}`, 'r.jsonl'),
    ]);
    expect(rows.map(({ source }) => source)).toEqual([
      { path: 'r.jsonl', line: 1, index: null },
      { path: 'r.jsonl', line: 4, index: null },
    ]);
    expect(account).toMatchObject({ lines: 4, good: 2, bad: 1, blank: 1, trajectories: 2, unreadable: 0 });
    expect(messagesOf(account)).toEqual([expect.stringMatching(/^r\.jsonl:2: not valid JSON/)]);
  });

  test('a bad line leaves nothing behind in the row after it', async () => {
    const good = JSON.stringify(trialResult);
    const { rows } = await read([stream(`${good.slice(0, -1)},]\n${good}\n`)]);
    expect(withoutSource(rows)).toEqual(withoutSource(await rowsOf([stream(good)])));
  });

  test('a line that is JSON and no record is bad', async () => {
    const { rows, account } = await read([stream(`${lines(trialResult)}[1]\n42\n"x"\nnull\n`, 'r')]);
    expect(rows).toHaveLength(1);
    expect(account).toMatchObject({ lines: 5, good: 1, bad: 4 });
    expect(messagesOf(account)).toEqual(
      ['an array', 'a number', 'a string', 'null'].map((found, at) => `r:${at + 2}: expected an object, got ${found}`),
    );
  });

  test('a bad element of an array keeps those before it, however the array lies on its lines', async () => {
    const good = ['a', 'b'].map((instance_id) => JSON.stringify({ instance_id, trajectory: [] }));
    for (const text of [`[${good},oops]`, `[\n${good.join(',\n')},\noops\n]\n`]) {
      const whole = await read([stream(text, 't')]);
      expect(whole.rows.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(whole.account).toMatchObject({ lines: 3, good: 2, bad: 1, unreadable: 0 });
      for (let cut = 1; cut < text.length; cut++) expect(await read([stream(text, 't', [cut])])).toEqual(whole);
    }
  });

  test('a log whose only line is bad is still a log', async () => {
    const { account } = await read([stream('{"type":"trial-result","status":oops}\n', 'r')]);
    expect(account).toMatchObject({ files: 1, lines: 1, bad: 1, unreadable: 0 });
  });

  test('a file with only a summary yields no rows and no problem', async () => {
    const { rows, account } = await read([stream(lines({ type: 'run-summary', total: 3 }))]);
    expect(rows).toEqual([]);
    expect(account).toMatchObject({ files: 1, lines: 1, good: 1, trajectories: 0, unreadable: 0, problemCount: 0 });
    expect([...account.skipped]).toEqual([['run-summary', 1]]);
  });

  test.each([
    ['an empty file', '', 0],
    ['a file of blank lines', '\n \r\n\t\n', 3],
    ['a byte-order mark alone', '\ufeff', 1],
  ])('%s yields no rows and is no failure', async (_, text, blank) => {
    const file = path.join(folderWith({ 'r.jsonl': text }), 'r.jsonl');
    const { rows, account } = await read([file]);
    expect(rows).toEqual([]);
    expect(account).toMatchObject({ files: 1, lines: blank, blank, good: 0, bad: 0, unreadable: 0 });
    expect(messagesOf(account)).toEqual([`${file}:: empty: it holds no records`]);
  });

  test('a missing file is reported, and the others are read', async () => {
    const { rows, account } = await read(['no/such.jsonl', stream(lines(trialResult))]);
    expect(rows).toHaveLength(1);
    expect(account.unreadable).toBe(1);
    expect(messagesOf(account)).toEqual(['no/such.jsonl:: no such file or folder']);
  });

  test.each([
    ['a folder with no logs', { 'README.md': '# nothing' }],
    ['a folder whose only JSON is no log', { 'package.json': '{"name":"x"}' }],
  ])('%s is reported', async (_, files) => {
    const folder = folderWith(files);
    const { rows, account } = await read([folder]);
    expect(rows).toEqual([]);
    expect(account).toMatchObject({ unreadable: 1, problemCount: 1, files: 0 });
    expect(messagesOf(account)[0]).toMatch(new RegExp(`^${folder}:: no logs`));
  });

  test('an unknown format is reported once, and nothing of it is counted', async () => {
    const { rows, account } = await read([stream('{"hello":"world"}\n', 'odd.json'), stream(lines(trialResult))]);
    expect(rows).toHaveLength(1);
    expect(account).toMatchObject({ files: 1, lines: 1, unreadable: 1, problemCount: 1 });
    expect(messagesOf(account)[0]).toMatch(/^odd\.json:: not a log that trajstats knows/);
  });

  test('a file that the user names under another format is refused', async () => {
    const { rows, account } = await read([stream(JSON.stringify(RECORDS.forecastInfo))], { inputFormat: 'forecast' });
    expect([rows.length, account.unreadable]).toEqual([1, 0]);
    const wrong = await read([stream(lines(trialResult))], { inputFormat: 'forecast' });
    expect([wrong.rows.length, wrong.account.unreadable]).toEqual([0, 1]);
  });

  test.each([
    ['a line', `${lines(trialResult)}{"type":"trial-result","status":"suc`, 1, { lines: 1, good: 1 }],
    ['an element of an array', `[${JSON.stringify(instance)},{"instance_id":"b","traj`, 1, { lines: 1, good: 1 }],
    ['a document', JSON.stringify(conversation).slice(0, -20), 0, { lines: 0, good: 0 }],
    ['an array between two elements', `[${JSON.stringify(instance)},`, 1, { lines: 1, good: 1 }],
  ])('a tail that ends within %s is a truncated tail and not a bad line', async (_, text, rows, counts) => {
    const reading = await read([stream(text)]);
    expect(reading.rows).toHaveLength(rows);
    expect(reading.account).toMatchObject({ ...counts, bad: 0, truncatedTails: 1, unreadable: 0 });
  });

  test('a last line without a newline is a line', async () => {
    const { rows, account } = await read([stream(lines(trialResult).trimEnd())]);
    expect([rows.length, account.lines, account.truncatedTails]).toEqual([1, 1, 0]);
  });

  test('a source that breaks off keeps its good part, and is reported once', async () => {
    async function* chunks() {
      yield bytesOf(lines(trial('a'), trial('b')));
      throw new Error('the line went dead');
    }
    const { rows, account } = await read([{ name: 'x', chunks: chunks() }]);
    expect([rows.length, account.unreadable]).toEqual([2, 1]);
    expect(messagesOf(account)).toEqual(['x:: the line went dead']);
  });

  test('a source that fails at once is reported once', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it yields
    async function* chunks(): AsyncGenerator<Uint8Array> {
      throw new Error('the line went dead');
    }
    const { rows, account } = await read([{ name: 'x', chunks: chunks() }]);
    expect([rows.length, account.unreadable]).toEqual([0, 1]);
    expect(messagesOf(account)).toEqual(['x:: the line went dead']);
  });

  test('lines are good, bad or blank, whatever the input', async () => {
    const part = fc.constantFrom(
      '\n',
      ' \n',
      '\r\n',
      '{"type":"run-summary"}\n',
      'x\n',
      '[]\n',
      lines(trialResult),
      '{"a":1',
      '\ufeff',
      '}',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const text = lines(trialResult) + parts.join('');
        const { account } = await read([stream(text)]);
        expect(account.good + account.bad + account.blank).toBe(account.lines);
        const newlines = text.split('\n').length - 1;
        expect(account.lines - newlines).toBeGreaterThanOrEqual(0);
        expect(account.lines - newlines + account.truncatedTails).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });
});

describe('trials whose events are in files of their own', () => {
  const events = JSON.stringify([
    { type: 'assistant', message: { id: 'm', content: 'x', usage: { input_tokens: 4, output_tokens: 1 } } },
    { type: 'result', subtype: 'success' },
  ]);
  const NOTHING = {
    tokenUsage: null,
    toolCallCount: null,
    toolCallBreakdown: {},
    skillActivationCount: null,
    skillActivationBreakdown: {},
    turnCount: null,
    wallTimeMs: null,
    errorCount: null,
  };

  async function readSplit(trajectory: string, prepare: (folder: string) => void = () => {}) {
    const folder = folderWith({
      'in/s.trials.json': JSON.stringify([{ ...instance, trajectory }]),
      'in/trials/a.json': events,
      'in/trials/bad.json': '[{"type":"assistant"',
      'outside.json': events,
    });
    prepare(folder);
    const file = path.join(folder, 'in/s.trials.json');
    return { file, ...(await read([file])) };
  }

  test('are read, and the row is that of the instance', async () => {
    const { file, rows, account } = await readSplit('trials/a.json');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      source: { path: file, line: null, index: 0 },
      id: instance.instance_id,
      task: instance.instance_id,
      status: 'success',
      metrics: { turnCount: 1, tokenUsage: { inputTokens: 4 } },
      patch: { files: 1, added: 1, removed: 1 },
    });
    expect(account).toMatchObject({ trajectories: 1, unreadable: 0, problemCount: 0 });
  });

  test.each([
    ['climbs out', '../outside.json'],
    ['climbs out on the way', 'trials/../../outside.json'],
    ['is absolute', path.resolve('package.json')],
  ])('a path that %s is refused, and the row stays with null metrics', async (_, given) => {
    const { file, rows, account } = await readSplit(given);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: instance.instance_id, metrics: NOTHING, patch: { files: 1 } });
    expect(account).toMatchObject({ trajectories: 1, unreadable: 1 });
    expect(messagesOf(account)).toEqual([
      `${file}:: element 0: refused to read ${JSON.stringify(given)}: it leads out of the folder of this file`,
    ]);
  });

  test.each([
    [
      'a link to a file outside',
      'trials/link.json',
      (folder: string) => symlinkSync(path.join(folder, 'outside.json'), path.join(folder, 'in/trials/link.json')),
    ],
    ['a linked folder outside', 'up/outside.json', (folder: string) => symlinkSync(folder, path.join(folder, 'in/up'))],
  ])('%s is refused', async (_, given, prepare) => {
    const { rows, account } = await readSplit(given, prepare);
    expect(rows[0].metrics).toEqual(NOTHING);
    expect(messagesOf(account)[0]).toContain('leads out of the folder');
  });

  test('a link that stays inside is followed', async () => {
    const { rows } = await readSplit('trials/link.json', (folder) =>
      symlinkSync('a.json', path.join(folder, 'in/trials/link.json')),
    );
    expect(rows[0].metrics.turnCount).toBe(1);
  });

  test('a log that is reached through a link finds the files beside it', async () => {
    const folder = folderWith({
      'real/s.trials.json': JSON.stringify([{ ...instance, trajectory: 'trials/a.json' }]),
      'real/trials/a.json': events,
    });
    symlinkSync(path.join(folder, 'real'), path.join(folder, 'linked'));
    expect((await rowsOf([path.join(folder, 'linked/s.trials.json')]))[0].metrics.turnCount).toBe(1);
  });

  test.each([
    ['missing', 'trials/none.json', 'no such file or folder'],
    ['a folder', 'trials', 'not a file'],
    ['cut off', 'trials/bad.json', 'cut off in the middle'],
  ])('a file that is %s leaves the row with null metrics, and is reported once', async (_, given, reason) => {
    const { rows, account } = await readSplit(given);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: instance.instance_id, outcome: 'ungraded', metrics: NOTHING });
    expect(account.trajectories).toBe(1);
    expect(messagesOf(account)).toEqual([expect.stringContaining(reason)]);
  });

  test('a file that begins with an event nobody knows is read all the same', async () => {
    const folder = folderWith({
      's.trials.json': JSON.stringify([{ ...instance, trajectory: 'trials/a.json' }]),
      'trials/a.json': JSON.stringify([{ type: 'telemetry' }, ...JSON.parse(events)]),
    });
    expect((await rowsOf([path.join(folder, 's.trials.json')]))[0].metrics.turnCount).toBe(1);
  });

  test('from standard input nothing beside it can be found', async () => {
    const { rows, account } = await read([stream(JSON.stringify([{ ...instance, trajectory: 'trials/a.json' }]), '-')]);
    expect(rows[0].metrics).toEqual(NOTHING);
    expect(account.unreadable).toBe(1);
  });

  test('an instance without a trajectory is a row with null metrics', async () => {
    const [row] = await rowsOf([stream(JSON.stringify([{ instance_id: 'a', model_patch: null }]))]);
    expect(row).toMatchObject({ id: 'a', metrics: NOTHING, patch: null });
  });
});

describe('several inputs', () => {
  test('give their rows in the order of the paths', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      stream(lines({ ...trialResult, stimulus: `${n}` }), `f${n}`, [10 * n]),
    );
    expect((await rowsOf(many)).map((row) => row.task)).toEqual(many.map((_, n) => `${n}`));
  });

  test('are accounted for together', async () => {
    const { account } = await read([
      'samples/vally/results.jsonl',
      'samples/vally/legacy.jsonl',
      'samples/trials/suite.trials.json',
    ]);
    expect(account).toMatchObject({ files: 3, trajectories: 15 + 4 + 6, lines: 19 + 5 + 6, blank: 1, bad: 0 });
    expect(Object.fromEntries(account.skipped)).toEqual({
      comparison: 1,
      'run-summary': 2,
      'experiment-run-summary': 1,
    });
  });

  test('may be a folder of everything', async () => {
    const folder = folderWith({
      'a/r.jsonl': lines(trialResult),
      'b.trials.json': JSON.stringify([instance]),
      'notes.json': '{"x":1}',
    });
    mkdirSync(path.join(folder, 'empty'));
    const { rows, account } = await read([folder]);
    expect(rows.map((row) => row.format)).toEqual(['vally', 'trials']);
    expect(account).toMatchObject({ files: 2, unreadable: 0, problemCount: 0 });
  });

  test('reading may stop at any row', async () => {
    const { readRows } = await import('../src/index.ts');
    for await (const batch of readRows(SAMPLE_FILES)) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
  });
});
