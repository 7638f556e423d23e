import { describe, expect, test } from 'vitest';
import { eventsOf, lines, messagesOf, read, rowIn, rowsIn, stream } from '../support.ts';

const user = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const assistant = (more: object = {}) => ({ role: 'assistant', content: 'x', ...more });
const tool = (tool_call_id: string, tool_response: unknown, more: object = {}) => ({
  role: 'tool',
  tool_call_id,
  tool_response,
  ...more,
});
const row = (more: object) => rowIn(lines({ task: { id: 't' }, steps: [], error: null, ...more }));

describe('cumulative steps', () => {
  const first = [
    user('a'),
    assistant({ usage: { prompt_tokens: 10, completion_tokens: 1 }, tool_calls: [{ id: 'c', name: 'f' }] }),
  ];
  const second = [
    ...first,
    tool('c', { result: 1 }),
    assistant({ usage: { prompt_tokens: 20, completion_tokens: 2 } }),
  ];

  test.each([
    ['objects with messages', [{ messages: first }, { messages: second }]],
    ['arrays of messages', [first, second]],
    ['a mixture', [{ messages: first }, second]],
  ])('what a step repeats is counted once: %s', async (_, steps) => {
    const { metrics, messages } = await row({ steps });
    expect(metrics).toMatchObject({
      turnCount: 2,
      toolCallCount: 1,
      tokenUsage: { inputTokens: 30, outputTokens: 3, callCount: 2 },
    });
    expect(messages).toEqual({ system: 0, user: 1, assistant: 2, tool: 1 });
  });

  test('a step with fewer messages than the one before it is reported', async () => {
    const { rows, account } = await read([
      stream(lines({ task: 't', steps: [second, first, [...second, user('b')]] }), 'c'),
    ]);
    expect(messagesOf(account)).toEqual(['c:1: step 2 has 2 messages, fewer than the 4 before it']);
    expect(rows[0]).toMatchObject({ metrics: { turnCount: 3 }, messages: { user: 2, assistant: 2, tool: 1 } });
    expect(account).toMatchObject({ good: 1, bad: 0 });
  });

  test('a step that adds nothing is no problem', async () => {
    const { account } = await read([stream(lines({ task: 't', steps: [first, first] }))]);
    expect(account.problemCount).toBe(0);
  });

  test('steps of one conversation are not those of the next', async () => {
    const rows = await rowsIn(lines({ task: 'a', steps: [second] }, { task: 'b', steps: [first] }));
    expect(rows.map(({ messages }) => messages.user + messages.assistant + messages.tool)).toEqual([4, 2]);
  });
});

describe('messages', () => {
  test('roles become messages, and other roles are kept', async () => {
    const steps = [
      [{ role: 'system', content: 's' }, user('u'), assistant(), tool('x', {}), { role: 'critic', content: 'c' }],
    ];
    expect((await row({ steps })).messages).toEqual({ system: 1, user: 1, assistant: 1, tool: 1 });
    const events = await eventsOf([stream(lines({ task: 't', steps }))]);
    expect(events.map(({ type }) => type)).toEqual([
      'system',
      'user_message',
      'assistant_message',
      'tool_result',
      'custom',
    ]);
  });

  test('tool calls are read in either spelling', async () => {
    const tool_calls = [
      { id: '1', name: 'f', arguments: {} },
      { id: '2', function: { name: 'g', arguments: '{}' } },
    ];
    const { metrics, tools } = await row({
      steps: [[assistant({ tool_calls }), tool('2', { error: 'no' }), tool('1', { result: 'yes' })]],
    });
    expect(metrics.toolCallBreakdown).toEqual({ f: 1, g: 1 });
    expect(tools).toMatchObject({ f: { errors: 0, unanswered: 0 }, g: { errors: 1, unanswered: 0 } });
  });

  test.each([
    [{ result: 'x' }, 0],
    [{ error: 'boom' }, 1],
    [{ error: { code: 5 } }, 1],
    [{ result: 'x', error: null }, 0],
    ['plain text', 0],
    [null, 0],
  ])('a tool response of %j has %d errors', async (response, errors) => {
    const steps = [[assistant({ tool_calls: [{ id: '1', name: 'f' }] }), tool('1', response)]];
    expect((await row({ steps })).tools.f.errors).toBe(errors);
  });

  test('usage counts on a message of any role', async () => {
    const steps = [
      [
        assistant({ usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 1 }, model: 'm' }),
        tool('1', {}, { usage: { prompt_tokens: 10, completion_tokens: 20 } }),
      ],
    ];
    expect((await row({ steps })).metrics.tokenUsage).toEqual({
      inputTokens: 11,
      outputTokens: 22,
      totalTokens: 33,
      cacheReadTokens: 1,
      cacheWriteTokens: 0,
      callCount: 2,
      byModel: {
        m: { inputTokens: 1, outputTokens: 2, callCount: 1 },
        '(unknown)': { inputTokens: 10, outputTokens: 20, callCount: 1 },
      },
    });
  });

  test('without usage on any message the tokens are null, and the totals are recorded', async () => {
    const { metrics, recorded } = await row({
      steps: [[user('a'), assistant()]],
      metrics: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });
    expect(metrics.tokenUsage).toBeNull();
    expect(recorded).toEqual({ inputTokens: 5, outputTokens: 6, totalTokens: 11 });
  });

  test('times of the messages give the latencies and the wall time', async () => {
    const at = (second: number) => ({ timestamp: `2026-03-01T00:00:0${second}Z` });
    const steps = [
      [
        user('a', at(0)),
        assistant({ tool_calls: [{ id: '1', name: 'f' }], ...at(2) }),
        tool('1', {}, at(5)),
        assistant(at(9)),
      ],
    ];
    const { metrics, tools, time, startedAt, completedAt } = await row({ steps });
    expect([metrics.wallTimeMs, tools.f.latencyMs]).toEqual([9000, [3000]]);
    expect(time).toEqual({ llmMs: null, toolMs: 3000, otherMs: 6000 });
    expect([startedAt, completedAt]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:09.000Z']);
  });
});

describe('the head of a conversation', () => {
  test.each([
    [{ id: 'a', task_id: 'b' }, 'a'],
    [{ task_id: 'b', conversation_id: 'c' }, 'b'],
    [{ conversation_id: 'c' }, 'c'],
    [{ id: 12 }, '12'],
    ['plain', 'plain'],
    [{}, null],
  ])('a task of %j is called %s', async (task, id) => {
    expect(await row({ task })).toMatchObject({ id, task: id });
  });

  test.each([
    [{ value: 0.5 }, { reward: 0.5 }],
    [{ score: 0 }, { reward: 0 }],
    [{ reward: -1 }, { reward: -1 }],
    [1, { reward: 1 }],
    [null, {}],
    [{ value: null, score: 2 }, { reward: 2 }],
    ['good', {}],
  ])('a reward of %j scores %j', async (reward, scores) => {
    expect((await row({ reward })).scores).toEqual(scores);
  });

  test.each([
    [null, 'ungraded'],
    ['crashed', 'error'],
    [{ message: 'x' }, 'error'],
    ['', 'error'],
  ])('an error of %j is %s', async (error, outcome) => {
    expect((await row({ error })).outcome).toBe(outcome);
  });

  test.each([
    [
      { llm_time: 1.5, total_time: 2 },
      { llmMs: 1500, wallTimeMs: 2000 },
    ],
    [
      { llm_time_s: 1.5, total_time_s: 2 },
      { llmMs: 1500, wallTimeMs: 2000 },
    ],
    [
      { llm_time_ms: 1.5, total_time_ms: 2 },
      { llmMs: 1.5, wallTimeMs: 2 },
    ],
    [{ total_time: 1.005 }, { wallTimeMs: 1005 }],
    [{ total_time: 2.3 }, { wallTimeMs: 2300 }],
    [{ total_time: 'long' }, {}],
  ])('execution metrics of %j', async (execution_metrics, recorded) => {
    const { recorded: found, metrics, time } = await row({ execution_metrics });
    expect(found).toEqual(recorded);
    expect(metrics.wallTimeMs).toBe((recorded as { wallTimeMs?: number }).wallTimeMs ?? null);
    expect(time.llmMs).toBe((recorded as { llmMs?: number }).llmMs ?? null);
  });

  test('what the task records is kept', async () => {
    expect(await row({ task: { id: 'a', source: 's', num_turns: 3, total_tokens: 9, cost: 0.5 } })).toMatchObject({
      variant: 's',
      costUsd: 0.5,
      recorded: { turnCount: 3, totalTokens: 9, costUsd: 0.5 },
      metrics: { turnCount: 0 },
    });
  });

  test('without steps there is no trajectory, and counts are null', async () => {
    expect((await rowIn(lines({ task: 't', metrics: {}, error: 'x' }))).metrics).toMatchObject({
      turnCount: null,
      toolCallCount: null,
    });
    expect((await row({ steps: [] })).metrics).toMatchObject({ turnCount: 0, toolCallCount: 0 });
  });
});

test('a record that is no conversation is bad', async () => {
  const { rows, account } = await read([stream(`[${JSON.stringify({ task: 'a', steps: [] })}, 7, "x"]`, 'c')]);
  expect(rows).toHaveLength(1);
  expect(messagesOf(account)).toEqual([
    'c:1: element 1: expected a conversation (an object), got a number',
    'c:1: element 2: expected a conversation (an object), got a string',
  ]);
});
