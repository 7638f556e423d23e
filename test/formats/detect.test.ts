import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Detection, HEAD_BYTES, INPUT_FORMATS } from '../../src/formats/detect.ts';
import type { Layout } from '../../src/formats/format.ts';
import { bytesOf, keyOrders, lines, pieces, RECORDS, read, reordered, rowsIn, stream } from '../support.ts';

const { trialResult, legacyResult, instance, conversation } = RECORDS;

function detect(text: string, only?: (typeof INPUT_FORMATS)[number], cuts: number[] = []): Layout | null {
  const detection = new Detection(only);
  for (const chunk of pieces(bytesOf(text), cuts)) {
    const layout = detection.add(chunk);
    if (layout !== undefined) return layout;
  }
  return detection.end();
}

/** What a text is taken for, in short: "vally lines". */
function kind(text: string, only?: (typeof INPUT_FORMATS)[number]): string {
  const layout = detect(text, only);
  return layout ? `${layout.format} ${layout.framing}` : 'unknown';
}

/** Of every layout: what it is, and what it looks like. */
const LAYOUTS: [string, string, unknown][] = [
  ['a typed trial result', 'vally lines', trialResult],
  ['a legacy trial result', 'vally lines', legacyResult],
  [
    'a trial result of an error',
    'vally lines',
    { type: 'trial-result', status: 'error', trajectory: null, error: 'x' },
  ],
  ['a legacy error', 'vally lines', { status: 'error', trajectory: null, error: 'x' }],
  ['a run summary', 'vally lines', { type: 'run-summary', passed: 3 }],
  ['an experiment run summary', 'vally lines', { type: 'experiment-run-summary' }],
  ['a comparison', 'vally lines', { type: 'comparison', variants: [] }],
  ['a row', 'rows lines', { type: 'trajectory-metrics', schema: 1, metrics: { turnCount: 3 } }],
  ['a conversation', 'sdk lines', conversation],
  ['a conversation with a plain task', 'sdk lines', { task: 'x', steps: [[{ role: 'user' }]] }],
  ['an array of conversations', 'sdk elements', [conversation, conversation]],
  ['an array of instances', 'trials elements', [instance, instance]],
  ['an array of split instances', 'trials elements', [{ instance_id: 'a', trajectory: 'trials/a.json' }]],
  ['an array of trial events', 'trials documents', instance.trajectory],
  ['an empty array', 'trials elements', []],
  ['a forecast trajectory', 'forecast documents', RECORDS.forecastTrajectory],
  ['a forecast info', 'forecast documents', RECORDS.forecastInfo],
  ['the sources of a forecast', 'forecast documents', RECORDS.forecastSources],
  ['a forecast summary', 'forecast documents', RECORDS.forecastSummary],
];

describe('what an input is, is told by its content', () => {
  test.each(LAYOUTS)('%s', (_, expected, value) => {
    const text = JSON.stringify(value);
    expect(kind(text)).toBe(expected);
    expect(kind(`${text}\n`)).toBe(expected);
  });

  test.each(LAYOUTS)('%s, with its keys in any order', (_, expected, value) => {
    fc.assert(
      fc.property(keyOrders, (order) => {
        expect(kind(JSON.stringify(reordered(value, order)))).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  test.each(LAYOUTS)('%s, behind a byte-order mark, blank lines and white space', (_, expected, value) => {
    const text = JSON.stringify(value);
    for (const before of ['\ufeff', '\n\n', '\r\n', ' \t ', '\ufeff\r\n\n  '])
      expect(kind(before + text)).toBe(expected);
    expect(kind(`${text}\r\n`)).toBe(expected);
  });

  test.each(LAYOUTS)('%s, over several lines', (_, expected, value) => {
    const pretty = expected.replace('lines', 'documents');
    if (Array.isArray(value) && value.length === 0) return;
    for (const indent of [0, 1, '\t', 8]) {
      const text = JSON.stringify(value, null, indent || undefined);
      expect(kind(text)).toBe(indent ? pretty : expected);
      expect(kind(text.replaceAll('\n', '\r\n'))).toBe(indent ? pretty : expected);
    }
  });

  test.each(LAYOUTS)('%s, however it is cut into chunks', (_, __, value) => {
    for (const text of [lines(value), JSON.stringify(value, null, 2)]) {
      const whole = detect(text);
      const everywhere = [...bytesOf(text).keys()];
      expect(detect(text, undefined, everywhere)).toEqual(whole);
    }
  });

  test.each(LAYOUTS.filter(([, expected]) => expected.endsWith('lines')))(
    '%s, behind lines that are bad, unknown or cut off',
    (_, expected, value) => {
      const text = JSON.stringify(value);
      const before = [
        'nonsense',
        '{"hello":"world"}',
        '{',
        '[1, 2',
        '"x',
        '42',
        'null',
        '[]',
        '{"type":',
        '{"a":1}}',
        text.slice(0, -1),
        text.slice(0, -9),
      ];
      for (const bad of before) {
        expect([bad, kind(`${bad}\n${text}\n${text}\n`)]).toEqual([bad, expected]);
        expect([bad, kind(`${bad}\n\n${bad}\n${text}\n`)]).toEqual([bad, expected]);
      }
    },
  );

  test('a first line that was cut off at any place does not hide the lines behind it', () => {
    const text = JSON.stringify(legacyResult);
    for (let cut = 1; cut < text.length; cut++)
      expect([cut, kind(`${text.slice(0, cut)}\n${text}\n${text}\n`)]).toEqual([cut, 'vally lines']);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t\r\n'],
    ['an object of something else', '{"name":"x","version":1}'],
    ['an array of something else', '[{"a":1}]'],
    ['an array of numbers', '[1,2,3]'],
    ['a scalar', '42'],
    ['prose', 'Dear all,\nplease find attached\n'],
    ['another type', '{"type":"telemetry"}\n'],
    ['an array of other events', '[{"type":"click"},{"type":"move"}]'],
    ['a document over several lines', '{\n  "compilerOptions": {\n    "strict": true\n  }\n}\n'],
    ['a log of chat messages', '{"messages":[{"role":"user","content":"x"}]}\n'],
    ['an openapi document', '{"paths":{},"info":{"title":"x"}}'],
  ])('%s is unknown', (_, text) => {
    expect(kind(text)).toBe('unknown');
  });

  test('a broken document over several lines is still what it began as', () => {
    expect(kind('{\n  "type": "trial-result",\n  "status": oops\n}\n')).toBe('vally documents');
    expect(kind('[\n  {\n    "instance_id": "x",\n    oops\n')).toBe('trials elements');
    expect(kind(`[\n${JSON.stringify(conversation)},\n${JSON.stringify(conversation)},\noops\n]\n`)).toBe(
      'sdk elements',
    );
  });

  test('a broken document on one line is still what it began as', () => {
    for (const [, expected, value] of LAYOUTS) {
      const text = JSON.stringify(value);
      if (text === '[]') continue;
      expect(kind(`${text.slice(0, -1)} oops`)).toBe(expected);
      expect(kind(`${text} oops\n`)).toBe(expected);
    }
  });

  test('a first line that has lost its newline does not change how the others are read', () => {
    const text = JSON.stringify(legacyResult);
    expect(kind(`${text}${text}\n${text}\n`)).toBe('vally lines');
  });
});

describe('records that are longer than what is looked at', () => {
  const long = 'x'.repeat(HEAD_BYTES);
  const cases: [string, string, unknown][] = [
    [
      'a typed result that begins with its trajectory',
      'vally lines',
      { trajectory: { events: [{ type: 'user_message', data: { content: long } }], id: 'a' }, type: 'trial-result' },
    ],
    [
      'a result whose trajectory begins with its output',
      'vally lines',
      { trajectory: { output: long, events: [] }, type: 'trial-result' },
    ],
    [
      'an instance that begins with its patch',
      'trials elements',
      [{ model_patch: long, instance_id: 'a', trajectory: [] }],
    ],
    [
      'an instance that begins with its events',
      'trials elements',
      [{ trajectory: [{ message: { content: long }, type: 'user' }], instance_id: 'a' }],
    ],
    [
      'events that begin with their message',
      'trials documents',
      [{ message: { role: 'user', content: long }, type: 'user' }],
    ],
    [
      'a conversation that begins with its steps',
      'sdk lines',
      { steps: [{ messages: [{ role: 'user', content: long }] }], task: { id: 'a' } },
    ],
    [
      'a conversation whose steps are arrays',
      'sdk lines',
      { steps: [[{ role: 'user', content: long }]], task: { id: 'a' } },
    ],
    [
      'conversations that begin with their steps',
      'sdk elements',
      [{ steps: [{ messages: [{ role: 'user', content: long }] }], task: 'a' }],
    ],
    [
      'a forecast that begins with its messages',
      'forecast documents',
      { messages: [{ key: 'U0', message: { content: long } }], steps: [] },
    ],
    [
      'a forecast that begins with its steps',
      'forecast documents',
      { steps: Array.from({ length: 5000 }, (_, n) => ({ input: ['U0'], output: `A${n}` })), messages: [] },
    ],
    ['a row that begins with its metrics', 'rows lines', { type: 'trajectory-metrics', errors: { [long]: 1 } }],
  ];
  test.each(cases)('%s', async (_, expected, value) => {
    const text = JSON.stringify(value);
    expect(text.length).toBeGreaterThan(HEAD_BYTES);
    expect(kind(text)).toBe(expected);
    expect(kind(`${text}\n${text}\n`)).toBe(expected);
  });

  test('a document over several lines', () => {
    const value = { ...conversation, steps: Array.from({ length: 500 }, () => conversation.steps[0]) };
    const text = JSON.stringify(value, null, 2);
    expect(text.length).toBeGreaterThan(HEAD_BYTES);
    expect(kind(text)).toBe('sdk documents');
  });
});

describe('a format that the user names', () => {
  test('is taken where nothing can be recognised', () => {
    expect(kind('{"x":1}\n', 'vally')).toBe('vally lines');
    expect(kind('{"x":1}\n', 'sdk')).toBe('sdk lines');
    expect(kind('[{"x":1}]\n', 'sdk')).toBe('sdk elements');
    expect(kind('[{"x":1}]\n', 'trials')).toBe('trials elements');
    expect(kind('{"x":1}\n', 'rows')).toBe('rows lines');
    expect(kind('{"x":1}\n', 'forecast')).toBe('unknown');
  });

  test('is recognised in all its layouts', () => {
    for (const [, expected, value] of LAYOUTS) {
      const format = INPUT_FORMATS.find((name) => expected.startsWith(name));
      expect(kind(JSON.stringify(value), format)).toBe(expected);
    }
  });
});

describe('what is detected is then read', () => {
  test('a record over several lines has no line', async () => {
    const [row] = await rowsIn(JSON.stringify(trialResult, null, 2));
    expect(row).toMatchObject({ id: 't-1', source: { line: null, index: null } });
  });

  test('a bad first line is on the account, and the others are read', async () => {
    const { rows, account } = await read([
      stream(`{"type":"trial-result","status":"success"\n${lines(trialResult, trialResult)}`),
    ]);
    expect(rows.map(({ source }) => source.line)).toEqual([2, 3]);
    expect(account).toMatchObject({ good: 2, bad: 1 });
  });

  test('key order never matters', async () => {
    const logs: [unknown, (value: unknown) => string][] = [
      [[trialResult, legacyResult], (value) => lines(...(value as unknown[]))],
      [[instance, { ...instance, trajectory: [] }], (value) => JSON.stringify(value)],
      [instance.trajectory, (value) => JSON.stringify(value, null, 1)],
      [[conversation, { ...conversation, task: 'y' }], (value) => lines(...(value as unknown[]))],
      [RECORDS.forecastTrajectory, (value) => JSON.stringify(value)],
      [RECORDS.forecastInfo, (value) => JSON.stringify(value)],
      [RECORDS.forecastSummary, (value) => JSON.stringify(value)],
    ];
    for (const [value, write] of logs) {
      const rows = await rowsIn(write(value));
      expect(rows.length).toBeGreaterThan(0);
      await fc.assert(
        fc.asyncProperty(keyOrders, async (order) => {
          expect(await rowsIn(write(reordered(value, order)))).toEqual(rows);
        }),
        { numRuns: 25 },
      );
    }
  });

  test('key order never matters in the samples', async () => {
    for (const file of [
      'samples/vally/results.jsonl',
      'samples/vally/legacy.jsonl',
      'samples/sdk/conversation-lines.jsonl',
    ]) {
      const { textOf } = await import('../support.ts');
      const values = textOf(file)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const rows = await rowsIn(lines(...values));
      await fc.assert(
        fc.asyncProperty(keyOrders, async (order) => {
          expect(await rowsIn(lines(...(reordered(values, order) as unknown[])))).toEqual(rows);
        }),
        { numRuns: 8 },
      );
    }
  });
});
