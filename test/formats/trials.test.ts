import { describe, expect, test } from 'vitest';
import { eventsOf, messagesOf, read, rowIn, rowsIn, stream } from '../support.ts';

const at = (second: number) => `2026-02-10T08:00:${String(second).padStart(2, '0')}Z`;
const assistant = (message: object, more: object = {}) => ({ type: 'assistant', message, ...more });
const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input });
const answer = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'x', ...more });
const tokens = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });
const row = (trajectory: unknown, more: object = {}) =>
  rowIn(JSON.stringify([{ instance_id: 'i', trajectory, ...more }]));

describe('usage of trials', () => {
  test('repeated on every block of one response counts once, and the last one wins', async () => {
    const { metrics } = await row([
      assistant({ id: 'a', usage: tokens(100, 1) }),
      assistant({ id: 'a', usage: tokens(100, 20) }),
      assistant({ id: 'b', usage: tokens(7, 7) }),
      assistant({ id: 'a', usage: tokens(100, 30) }),
    ]);
    expect(metrics.tokenUsage).toMatchObject({ inputTokens: 107, outputTokens: 37, callCount: 2 });
    expect(metrics.turnCount).toBe(2);
  });

  test('that a later block of the response leaves out is not lost', async () => {
    const { metrics } = await row([
      assistant({ id: 'a', usage: tokens(5, 6) }),
      assistant({ id: 'a', content: 'more' }),
    ]);
    expect(metrics.tokenUsage).toMatchObject({ inputTokens: 5, outputTokens: 6, callCount: 1 });
  });

  test('without a message id counts every time', async () => {
    const { metrics } = await row([assistant({ usage: tokens(5, 1) }), assistant({ usage: tokens(5, 1) })]);
    expect(metrics.tokenUsage).toMatchObject({ inputTokens: 10, outputTokens: 2, callCount: 2 });
    expect(metrics.turnCount).toBe(2);
  });

  test('of the result event is never added, only recorded', async () => {
    const result = { type: 'result', subtype: 'success', usage: tokens(999, 888) };
    const { metrics, recorded } = await row([assistant({ id: 'a', usage: tokens(5, 1) }), result]);
    expect(metrics.tokenUsage).toMatchObject({ inputTokens: 5, outputTokens: 1 });
    expect(recorded).toMatchObject({ inputTokens: 999, outputTokens: 888 });
    expect((await row([assistant({ id: 'a' }), result])).metrics.tokenUsage).toBeNull();
  });

  test.each([
    [{ input_tokens: 3, output_tokens: 4 }, [3, 4, 0, 0]],
    [{ prompt_tokens: 3, completion_tokens: 4 }, [3, 4, 0, 0]],
    [{ input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 }, [3, 4, 2, 1]],
  ])('is read in either spelling: %j', async (usage, [input, output, cacheRead, cacheWrite]) => {
    expect((await row([assistant({ usage })])).metrics.tokenUsage).toMatchObject({
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    });
  });

  test('is counted for the model of the message, else of the system event', async () => {
    const { metrics, model } = await row([
      { type: 'system', model: 's' },
      assistant({ usage: tokens(1, 1) }),
      assistant({ model: 'm', usage: tokens(2, 2) }),
    ]);
    expect(metrics.tokenUsage?.byModel).toEqual({
      s: { inputTokens: 1, outputTokens: 1, callCount: 1 },
      m: { inputTokens: 2, outputTokens: 2, callCount: 1 },
    });
    expect(model).toBe('s');
  });
});

describe('messages of trials', () => {
  test('content is a string, or blocks, or strings among the blocks', async () => {
    const trajectory = [
      user('hello'),
      user([{ type: 'text', text: 'a' }, 'b', answer('t')]),
      user([answer('t')]),
      user(''),
      user([]),
      assistant({ content: 'text' }),
      assistant({ content: [call('t', 'Read')] }),
      assistant({ content: [{ type: 'text', text: '' }] }),
      assistant({ content: [{ type: 'thinking', thinking: 'hm' }] }),
    ];
    expect((await row(trajectory)).messages).toEqual({ system: 0, user: 2, assistant: 1, tool: 2 });
    const events = await eventsOf([stream(JSON.stringify(trajectory), 'x')]);
    expect(events.filter(({ type }) => /message/.test(type as string)).map(({ data }) => data)).toEqual([
      { content: 'hello' },
      { content: 'a\nb' },
      { content: 'text' },
    ]);
  });

  test('one tool call per tool_use block, and one result per tool_result block', async () => {
    const { metrics, tools } = await row([
      assistant({ id: 'a', content: [call('1', 'Read'), call('2', 'Bash')] }, { timestamp: at(0) }),
      assistant({ id: 'a', content: [call('3', 'Bash')] }, { timestamp: at(1) }),
      user([answer('1'), answer('2', { is_error: true })], { timestamp: at(3) }),
      user([answer('9', { is_error: true })]),
    ]);
    expect(metrics.toolCallBreakdown).toEqual({ Read: 1, Bash: 2 });
    expect(tools).toEqual({
      Read: { calls: 1, errors: 0, unanswered: 0, latencyMs: [3000] },
      Bash: { calls: 2, errors: 1, unanswered: 1, latencyMs: [3000] },
      '(unknown)': { calls: 0, errors: 1, unanswered: 0, latencyMs: [] },
    });
    expect(metrics.toolCallCount).toBe(3);
    expect(metrics.errorCount).toBe(0);
  });

  test('orphan results and unanswered calls are no problem', async () => {
    const { account } = await read([
      stream(JSON.stringify([user([answer('x')]), assistant({ content: [call('y', 'T')] })])),
    ]);
    expect(account).toMatchObject({ problemCount: 0, bad: 0 });
  });

  test.each([
    [{ skill: 'pdf' }, { pdf: 1 }],
    [{ command: 'xlsx' }, { xlsx: 1 }],
    [{}, { '(unknown)': 1 }],
  ])('a use of the tool Skill with %j activates a skill, and is a call too', async (input, skills) => {
    const { metrics } = await row([assistant({ content: [call('1', 'Skill', input), call('2', 'skill', input)] })]);
    expect(metrics).toMatchObject({ toolCallCount: 2, skillActivationCount: 1, skillActivationBreakdown: skills });
  });
});

describe('the head of a trial', () => {
  test.each([
    [
      'duration_ms',
      [
        { type: 'system', timestamp: at(0) },
        { type: 'result', timestamp: at(9), duration_ms: 1234 },
      ],
      1234,
    ],
    [
      'a duration of zero',
      [
        { type: 'system', timestamp: at(0) },
        { type: 'result', timestamp: at(9), duration_ms: 0 },
      ],
      0,
    ],
    [
      'the last time minus the first',
      [user('x', { timestamp: at(2) }), user('y', { timestamp: at(7) }), user('z', { timestamp: at(5) })],
      5000,
    ],
    ['unknown without times', [user('x')], null],
  ])('the wall time is %s', async (_, trajectory, expected) => {
    expect((await row(trajectory)).metrics.wallTimeMs).toBe(expected);
  });

  test.each([
    ['that of the result', [assistant({ cost: 5 }), { type: 'result', total_cost_usd: 0.5 }], 0.5],
    ['zero where the result says so', [assistant({ cost: 5 }), { type: 'result', total_cost_usd: 0 }], 0],
    [
      'the sum of the messages',
      [assistant({ cost: 0.5 }), assistant({ id: 'a', cost: 0.25 }), assistant({ id: 'a', cost: 0.75 })],
      1.25,
    ],
    ['unknown where nobody says', [assistant({})], null],
  ])('the cost is %s', async (_, trajectory, expected) => {
    expect((await row(trajectory)).costUsd).toBe(expected);
  });

  test.each([
    [{ subtype: 'success' }, 'success', 'ungraded'],
    [{ subtype: 'completed' }, 'completed', 'ungraded'],
    [{ subtype: 'success', is_error: true }, 'success', 'error'],
    [{ subtype: 'error_max_turns' }, 'error_max_turns', 'error'],
    [{ subtype: 'max_turns', is_error: false }, 'max_turns', 'ungraded'],
    [{}, null, 'ungraded'],
  ])('a result of %j', async (result, status, outcome) => {
    expect(await row([{ type: 'result', ...result }])).toMatchObject({ status, outcome });
  });

  test('turns are responses, and what the log records is kept beside', async () => {
    const { metrics, recorded } = await row([
      assistant({ id: 'a' }),
      assistant({ id: 'a' }),
      assistant({ id: 'b' }),
      { type: 'result', num_turns: 4 },
    ]);
    expect([metrics.turnCount, recorded.turnCount]).toEqual([2, 4]);
  });

  test('a trial that did nothing has zeros, and one without a trajectory has nulls', async () => {
    expect((await row([])).metrics).toMatchObject({
      toolCallCount: 0,
      turnCount: 0,
      errorCount: 0,
      tokenUsage: null,
      wallTimeMs: null,
    });
    expect((await row(null)).metrics).toMatchObject({ toolCallCount: null, turnCount: null, errorCount: null });
  });

  test('id and task are the instance id', async () => {
    expect(await row([], { instance_id: 'x__y-1' })).toMatchObject({ id: 'x__y-1', task: 'x__y-1' });
    expect(await row([], { instance_id: 17 })).toMatchObject({ id: '17', task: '17' });
  });
});

describe('layouts of trials', () => {
  test.each([
    ['trials/astropy__1.json', 'astropy__1'],
    ['b.json.gz', 'b'],
    ['c.jsonl', 'c'],
    ['-', null],
  ])('a bare array of events in %s is one trajectory, named %s', async (name, task) => {
    expect(await rowIn(JSON.stringify([user('x'), assistant({ id: 'a' })]), name)).toMatchObject({
      id: task,
      task,
      metrics: { turnCount: 1 },
      patch: null,
    });
  });

  test('elements are counted, and one that is no instance is bad', async () => {
    const { rows, account } = await read([
      stream(
        JSON.stringify([
          { instance_id: 'a', trajectory: [] },
          5,
          null,
          [assistant({ usage: tokens(1, 1) })],
          { instance_id: 'b', trajectory: [] },
        ]),
        't',
      ),
    ]);
    expect(rows.map(({ id, source, metrics }) => [id, source.index, metrics.tokenUsage])).toEqual([
      ['a', 0, null],
      ['b', 4, null],
    ]);
    expect(account).toMatchObject({ lines: 5, good: 2, bad: 3 });
    expect(messagesOf(account)[0]).toBe('t:1: element 1: expected an instance (an object), got a number');
  });

  test('events of unknown types are kept as they are', async () => {
    const events = await eventsOf([
      stream(JSON.stringify([user('x'), { type: 'hook', timestamp: at(1), n: [1, { a: null }] }])),
    ]);
    expect(events[1]).toMatchObject({ type: 'hook', timestamp: at(1), data: { n: [1, { a: null }] } });
  });
});

describe('patches', () => {
  test('are told by bytes, files and lines', async () => {
    const model_patch = 'diff --git a/é b/é\n--- a/é\n+++ b/é\n@@ -1,2 +1,2 @@\n a\n-b\n+ç\n';
    expect((await row([], { model_patch })).patch).toEqual({
      bytes: Buffer.byteLength(model_patch),
      files: 1,
      added: 1,
      removed: 1,
    });
  });

  test('that are empty are counted, and that are missing are null', async () => {
    expect((await row([], { model_patch: '' })).patch).toEqual({ bytes: 0, files: 0, added: 0, removed: 0 });
    for (const model_patch of [null, undefined, 7, [], {}, { a: 'diff' }])
      expect((await row([], { model_patch })).patch).toBeNull();
  });
});

test('one trial leaves nothing behind in the next', async () => {
  const busy = [
    { type: 'system', model: 'm', timestamp: at(1) },
    assistant({ id: 'a', usage: tokens(1, 1), cost: 3, content: [call('1', 'T')] }),
    { type: 'result', subtype: 'error', is_error: true, duration_ms: 5 },
  ];
  const rows = await rowsIn(
    JSON.stringify([
      { instance_id: 'a', trajectory: busy },
      { instance_id: 'b', trajectory: [] },
    ]),
  );
  const { source, id, task, ...second } = rows[1];
  const { source: _, id: __, task: ___, ...alone } = await row([]);
  expect(second).toEqual(alone);
});
