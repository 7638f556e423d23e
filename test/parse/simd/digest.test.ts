import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vally } from '../../../src/formats/vally.ts';
import type { EventDigest } from '../../../src/model/digest.ts';
import { simdParser } from '../../../src/parse/simd/index.ts';
import { read, stream } from '../../support.ts';
import { numRuns } from './generate.ts';
import { inChunks } from './log.ts';

const record = (events: readonly string[], tail = '') =>
  `{"type":"trial-result","trajectory":{"events":[${events.join(',')}],"id":"t"}${tail}}\n`;

/** What the fast parser hands over of these bytes. */
function handedOver(text: string, sizes: number[] = []): { items: unknown[]; digests: EventDigest[] } {
  const items: unknown[] = [];
  const digests: EventDigest[] = [];
  const options = { framing: vally.framing, shape: vally.shape('metrics'), maxValueBytes: 1 << 20 };
  const parser = simdParser(options, {
    item: (_, value) => items.push(value),
    digest: (digest) => digests.push(digest),
    record() {},
    bad() {},
    blank() {},
    tail() {},
  });
  for (const chunk of inChunks(Buffer.from(text), sizes)) parser.write(chunk);
  parser.end();
  return { items, digests };
}

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 5) + 1000 * seconds).toISOString();
const event = (type: string, seconds: number, data: object = {}) =>
  JSON.stringify({ type, timestamp: at(seconds), data });

const USUAL = [
  event('user_message', 0),
  event('turn_start', 0, { turnId: '0' }),
  event('token_usage', 1, { inputTokens: 10, outputTokens: 2, model: 'm', cacheReadTokens: 7, cacheWriteTokens: 1 }),
  event('assistant_message', 1),
  event('tool_call', 2, { toolName: 'read', toolCallId: 'a', arguments: { path: 'x' } }),
  event('tool_call', 2, { toolName: 'write', toolCallId: 'b' }),
  event('tool_result', 5, { toolName: 'read', toolCallId: 'a', success: false, result: {} }),
  event('skill_activation', 5, { name: 'skill' }),
  event('turn_end', 6, { turnId: '0' }),
  event('turn_start', 7, { turnId: '1' }),
  event('error', 8, { type: 'broken', message: 'very' }),
];

test('usual events become one digest', () => {
  const { items, digests } = handedOver(record(USUAL));
  expect(items).toEqual([]);
  expect(digests).toEqual([
    {
      first: Date.UTC(2026, 0, 5),
      last: Date.UTC(2026, 0, 5) + 8000,
      modelCalls: 1,
      inputTokens: 10,
      outputTokens: 2,
      cacheReadTokens: 7,
      cacheWriteTokens: 1,
      models: [{ name: 'm', calls: 1, inputTokens: 10, outputTokens: 2 }],
      tools: [
        { name: 'read', calls: 1 },
        { name: 'write', calls: 1 },
      ],
      answers: [0, Date.UTC(2026, 0, 5) + 2000, Date.UTC(2026, 0, 5) + 5000, 1],
      openCalls: [{ id: 'b', tool: 1, at: Date.UTC(2026, 0, 5) + 2000 }],
      turnEnds: 1,
      turns: [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 5) + 6000],
      openTurns: [{ id: '1', at: Date.UTC(2026, 0, 5) + 7000 }],
      skills: [{ name: 'skill', count: 1 }],
      errors: [{ name: 'broken', count: 1 }],
      messages: { system: 0, user: 1, assistant: 1, tool: 1 },
    },
  ]);
});

test('an odd event comes as it is, between the digests of those before and after it', () => {
  const order: string[] = [];
  const options = { framing: vally.framing, shape: vally.shape('metrics'), maxValueBytes: 1 << 20 };
  const parser = simdParser(options, {
    item: (_, value) => order.push(`item ${(value as { type: unknown }).type}`),
    digest: ({ messages }) => order.push(`digest ${messages.user} ${messages.assistant}`),
    record: () => order.push('record'),
    bad() {},
    blank() {},
    tail() {},
  });
  const odd = event('tool_result', 0, { toolCallId: 'never called' });
  parser.write(Buffer.from(record([USUAL[0], odd, USUAL[3], USUAL[3]])));
  parser.end();
  expect(order).toEqual(['digest 1 0', 'item tool_result', 'digest 0 2', 'record']);
});

test('of bad records nothing is left for the next one', async () => {
  const text = `${record(USUAL, '}')}${record([USUAL[0]])}`;
  const { rows } = await read([stream(text)], { parser: 'simd' });
  expect(rows).toHaveLength(1);
  expect(rows[0].messages).toEqual({ system: 0, user: 1, assistant: 0, tool: 0 });
});

test('nor of records that break in the middle of their events', async () => {
  const [broken] = record(USUAL.slice(0, 7)).split('],"id"');
  const text = `${broken}!\n${record([USUAL[0]])}`;
  const { rows, account } = await read([stream(text)], { parser: 'simd' });
  expect(account).toMatchObject({ good: 1, bad: 1 });
  expect(rows[0]).toMatchObject({ tools: {}, messages: { system: 0, user: 1, assistant: 0, tool: 0 } });
});

describe('rows are the same as without digests', () => {
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('"a"', '"b"', '"a"', '"read"', '"write"', '"m"', '"0"', '"1"') },
    { weight: 2, arbitrary: fc.nat({ max: 60 }).map((n) => `"n${n}"`) },
    { weight: 2, arbitrary: fc.nat({ max: 5000 }).map(String) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...['null', 'true', 'false', '{}', '[]', '[1]', '{"a":1}', '-1', '0.5', '-0', '1e3', '1e400', '""'],
        ...['9007199254740991', '9007199254740993', '123456789012345', '4503599627370496'],
        ...['"\\u0061"', '"r\\u0065ad"', '"\\ud800"', '"\\ud83d\\ude00"', '"é"', '"__proto__"', '"(unknown)"'],
        ...[`"${'long'.repeat(15)}"`, `"${'long'.repeat(16)}"`, `"${'é'.repeat(40)}"`, `"${'x'.repeat(300)}"`],
      ),
    },
  );
  const usualTime = fc.nat({ max: 90 }).map((n) => JSON.stringify(at(n)));
  const oddTime = fc.constantFrom('null', '1', '"yesterday"', '"2026-01-05T01:00:00+01:00"', '"2026-02-29T00:00:00Z"');
  const time = fc.oneof({ weight: 12, arbitrary: usualTime }, { weight: 1, arbitrary: oddTime });
  const TYPES = ['tool_call', 'tool_result', 'tool_call', 'tool_result', 'token_usage', 'turn_start', 'turn_end'];
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...TYPES, 'skill_activation', 'error', 'system', 'user_message') },
    { weight: 1, arbitrary: fc.constantFrom('assistant_message', 'telemetry', 'turn_enx', 'tool_callx') },
  );
  const FIELDS: Record<string, string[]> = {
    tool_call: ['toolName', 'toolCallId'],
    tool_result: ['toolName', 'toolCallId', 'success'],
    token_usage: ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'model'],
    turn_start: ['turnId'],
    turn_end: ['turnId'],
    skill_activation: ['name'],
    error: ['type'],
  };
  const usualValue: Record<string, fc.Arbitrary<string>> = {
    toolCallId: fc.constantFrom('"a"', '"b"', '"c"'),
    toolName: fc.constantFrom('"read"', '"write"', '"__proto__"'),
    success: fc.constantFrom('true', 'false'),
    turnId: fc.constantFrom('"0"', '"1"'),
    model: fc.constantFrom('"m"', '"n"'),
    name: fc.constantFrom('"s"', '"t"'),
    type: fc.constantFrom('"x"', '"y"'),
  };
  const member = (name: string) =>
    fc
      .oneof(
        { weight: 12, arbitrary: usualValue[name] ?? fc.nat({ max: 90 }).map(String) },
        // Numbers whose sum as doubles is not the exact one.
        ...(usualValue[name] ? [] : [{ weight: 2, arbitrary: fc.constantFrom('0.1', '0.2', '9007199254740991') }]),
        { weight: 1, arbitrary: value },
      )
      .map((text) => `"${name}":${text}`);
  const data = (kind: string) =>
    fc
      .tuple(
        fc.tuple(...(FIELDS[kind] ?? []).map(member)),
        fc.constantFrom(
          '',
          '',
          '',
          '',
          '"content":"x\\ny"',
          '"toolCallId":"b"',
          '"model":null',
          '"arguments":{"a":[1]}',
        ),
        fc.constantFrom<number>(0, 0, 0, 1),
      )
      .map(([all, more, left]) => `{${[...all.slice(left), more].filter((text) => text !== '').join(',')}}`);
  const one = type.chain((kind) =>
    fc
      .tuple(
        time,
        data(kind),
        fc.constantFrom('', '', '', '', '', '', ',"data":{}', ',"data":5', ',"type":"error"', ',"z":{}'),
      )
      .map(([when, inside, more]) => `{"type":"${kind}","timestamp":${when},"data":${inside}${more}}`),
  );
  const odd = fc.constantFrom('1', '"tool_call"', '{}', '[]', '[{"type":"error"}]', '{"type":"error"}', '{"type":{}}');
  const events = fc.array(fc.oneof({ weight: 20, arbitrary: one }, { weight: 1, arbitrary: odd }), {
    maxLength: 120,
    size: 'max',
  });
  const log = fc
    .array(
      fc.tuple(events, fc.constantFrom('', '', '', '}', ',"trajectory":{"events":[]}'), fc.nat(), fc.nat({ max: 3 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((records) =>
      records
        .map(([all, tail, at, breaks]) => {
          const text = record(all, tail);
          const place = at % text.length;
          // One in four breaks anywhere.
          return breaks === 0 ? `${text.slice(0, place)}!${text.slice(place, -1)}\n` : text;
        })
        .join(''),
    );
  const cuts = fc.array(fc.nat({ max: 20_000 }), { maxLength: 6 });

  test('on any log, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(log, cuts, fc.constantFrom(40, 1 << 20), async (text, places, maxValueBytes) => {
        const fast = await read([stream(text, 'log', places)], { parser: 'simd', maxValueBytes });
        const plain = await read([stream(text)], { parser: 'stream-json', maxValueBytes });
        // What a bad line says of itself is each parser's own.
        const strip = ({ rows, account }: typeof fast) => ({ rows, account: { ...account, problems: [] } });
        expect(strip(fast)).toEqual(strip(plain));
      }),
      { numRuns: numRuns(500) },
    );
  });

  const each = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const LARGE = 2 ** 47 + 1;
  const calls = each(700, (n) => event('tool_call', n, { toolCallId: `call ${n}`, toolName: `tool ${n % 10}` }));
  const turns = each(700, (n) => event('turn_start', n, { turnId: `turn ${n}` }));
  test.each([
    ['open calls', [...calls, ...each(700, (n) => event('tool_result', n, { toolCallId: `call ${(n * 7) % 700}` }))]],
    ['open turns', [...turns, ...each(700, (n) => event('turn_end', n + 9, { turnId: `turn ${(n * 3) % 700}` }))]],
    [
      'tools',
      each(100, (n) => [
        event('tool_call', n, { toolCallId: 'a', toolName: `tool ${n}` }),
        event('tool_result', n, { toolCallId: 'a' }),
        event('skill_activation', n, { name: `skill ${n % 10}` }),
      ]).flat(),
    ],
    ['models', each(100, (n) => event('token_usage', n, { inputTokens: n, model: `model ${n % 40}` }))],
    ['tokens', each(1000, (n) => event('token_usage', n, { inputTokens: LARGE, cacheReadTokens: LARGE, model: 'm' }))],
    ['skills', each(700, (n) => event('skill_activation', n, { name: `skill ${n}` }))],
    ['errors', each(700, (n) => event('error', n, { type: `error ${n}` }))],
  ])('with more %s than a digest holds', async (_, events) => {
    const text = record(events);
    const { rows } = await read([stream(text)], { parser: 'simd' });
    expect(rows).toEqual((await read([stream(text)], { parser: 'stream-json' })).rows);
    // At first, at least, there are digests.
    expect(handedOver(text).digests.length).toBeGreaterThan(1);
  });
});
