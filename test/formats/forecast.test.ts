import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventsOf, folderWith, RECORDS, read, rowIn, rowsOf, stream } from '../support.ts';

const message = (key: string, role: string | undefined, extra: object = {}, more: object = {}) => ({
  key,
  message: { role, content: 'x', extra, ...more },
});
const trajectory = (messages: object[], steps: object[] = []) => ({ messages, steps, trajectory_format: 'x' });
const step = (output: string, ...input: string[]) => ({ input, output });
const json = (value: unknown) => JSON.stringify(value);

describe('a pooled trajectory', () => {
  test('each message counts once, however many steps refer to it', async () => {
    const { metrics, messages } = await rowIn(
      json(
        trajectory(
          [
            message('S0', 'system'),
            message('U0', 'user'),
            message('A0', 'assistant', {
              prompt_tokens: 10,
              completion_tokens: 1,
              cached_tokens: 4,
              cache_creation_tokens: 2,
            }),
            message('A1', 'assistant', { prompt_tokens: 20, completion_tokens: 2 }),
          ],
          [step('A0', 'S0', 'U0'), step('A1', 'S0', 'U0', 'A0'), step('A1', 'S0', 'U0', 'A0')],
        ),
      ),
    );
    expect(metrics).toMatchObject({
      turnCount: 3,
      tokenUsage: { inputTokens: 30, outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 2, callCount: 2 },
    });
    expect(messages).toEqual({ system: 1, user: 1, assistant: 2, tool: 0 });
  });

  test('a key names the role where the message does not, and older keys say nothing', async () => {
    const messages = ['S0', 'U0', 'A0', 'T0', 'O0', 'm5'].map((key) => message(key, undefined));
    const older = [message('m0', 'system'), message('m1', 'user'), message('m2', 'assistant'), message('m3', 'tool')];
    expect((await rowIn(json(trajectory(messages)))).messages).toEqual({ system: 1, user: 1, assistant: 1, tool: 1 });
    expect((await rowIn(json(trajectory(older)))).messages).toEqual({ system: 1, user: 1, assistant: 1, tool: 1 });
  });

  test('times are seconds with a fraction, and the wall time is the last minus the first', async () => {
    const at = (timestamp: number) => ({ timestamp });
    const row = await rowIn(
      json(
        trajectory([
          message('U0', 'user', at(1_770_000_000)),
          message('A0', 'assistant', { ...at(1_770_000_001.25), actions: [{ name: 'search', tool_call_id: 'q' }] }),
          message('T0', 'tool', at(1_770_000_003.75), { tool_call_id: 'q' }),
          message('A1', 'assistant', at(1_770_000_010.5)),
        ]),
      ),
    );
    expect(row.metrics.wallTimeMs).toBe(10_500);
    expect(row.startedAt).toBe('2026-02-02T02:40:00.000Z');
    expect(row.completedAt).toBe('2026-02-02T02:40:10.500Z');
    expect(row.tools).toEqual({ search: { calls: 1, errors: 0, unanswered: 0, latencyMs: [2500] } });
    expect(row.time).toEqual({ llmMs: null, toolMs: 2500, otherMs: 8000 });
  });

  test('a tool message with an error is a failure', async () => {
    const act = message('A0', 'assistant', { actions: [1, 2, 3].map((n) => ({ name: 'f', tool_call_id: `${n}` })) });
    const row = await rowIn(
      json(
        trajectory([
          act,
          message('T0', 'tool', { tool_call_id: '1', error: 'x' }),
          message('T1', 'tool', { tool_call_id: '2', error: null }),
          message('T2', 'tool', { tool_call_id: '3' }),
        ]),
      ),
    );
    expect(row.tools.f).toMatchObject({ calls: 3, errors: 1, unanswered: 0 });
  });

  test('without counts there is no usage', async () => {
    expect((await rowIn(json(trajectory([message('A0', 'assistant')])))).metrics.tokenUsage).toBeNull();
  });
});

describe('a run', () => {
  const run = async (files: Record<string, unknown>) => {
    const folder = folderWith(
      Object.fromEntries(Object.entries(files).map(([name, value]) => [`fc-1/${name}`, json(value)])),
    );
    const { rows, account } = await read([path.join(folder, 'fc-1')]);
    expect(rows).toHaveLength(1);
    expect(account.trajectories).toBe(1);
    expect(rows[0].source).toEqual({ path: path.join(folder, 'fc-1'), line: null, index: null });
    return rows[0];
  };
  const info = {
    cost_stats: { total_cost: 2, n_api_calls: 3 },
    config: { agent: 'ag', model: 'mo' },
    exit_status: 'submitted',
    token_usage: { prompt_tokens: 5, total_prompt_tokens: 50, total_completion_tokens: 7 },
  };
  const spent = trajectory([
    message('A0', 'assistant', { cost: 0.5, prompt_tokens: 1, completion_tokens: 1 }),
    message('T0', 'tool', { search_cost: 0.25 }),
  ]);

  test.each([
    ['info.json', { 'info.json': info }],
    ['trajectory.json', { 'trajectory.json': spent }],
    ['sources.json', { 'sources.json': RECORDS.forecastSources }],
    ['info.json and sources.json', { 'info.json': info, 'sources.json': RECORDS.forecastSources }],
    ['all three files', { 'info.json': info, 'trajectory.json': spent, 'sources.json': RECORDS.forecastSources }],
  ])('that left %s is one row, named after its folder', async (_, files) => {
    expect(await run(files)).toMatchObject({
      format: 'forecast',
      id: 'fc-1',
      task: 'fc-1',
      metrics: { turnCount: 'trajectory.json' in files ? 0 : null },
    });
  });

  test('has its model, agent and recorded totals from the info', async () => {
    expect(await run({ 'info.json': info, 'trajectory.json': spent })).toMatchObject({
      model: 'mo',
      executor: 'ag',
      costUsd: 2,
      recorded: { costUsd: 2, callCount: 3, inputTokens: 50, outputTokens: 7 },
      metrics: { tokenUsage: { byModel: { mo: { inputTokens: 1, outputTokens: 1, callCount: 1 } } } },
    });
  });

  test('has the cost of its messages where the info says none', async () => {
    expect((await run({ 'trajectory.json': spent })).costUsd).toBe(0.75);
    expect((await run({ 'info.json': { exit_status: 'submitted' } })).costUsd).toBeNull();
  });

  test.each([
    [0.125, { brier: 0.125 }],
    [{ brier: 0.5 }, { brier: 0.5 }],
    [{ brier_score: 0 }, { brier: 0 }],
    [null, {}],
    [{ note: 'open' }, {}],
  ])('an evaluation of %j scores %j', async (evaluation, scores) => {
    expect((await run({ 'info.json': { ...info, evaluation } })).scores).toEqual(scores);
  });
});

describe('an evaluation folder', () => {
  const evaluation = (runs: object[], folders: Record<string, unknown> = {}) =>
    folderWith({
      'out/summary.json': json({ runs, total_cost: 1 }),
      'out/runs/.keep': '',
      ...Object.fromEntries(Object.entries(folders).map(([name, value]) => [`out/runs/${name}`, json(value)])),
    });

  test.each([
    ['submitted', 'ungraded'],
    ['BatchRunTimeoutError', 'timeout'],
    ['skipped_cost_limit', 'skipped'],
    ['pending', 'skipped'],
    ['LimitsExceeded', 'error'],
    ['auth_error', 'error'],
    ['ValueError', 'error'],
  ])('a status of %s is %s', async (status, outcome) => {
    const [row] = await rowsOf([path.join(evaluation([{ task_id: 'a', status, cost: { total: 0.5 } }]), 'out')]);
    expect(row).toMatchObject({
      id: 'a',
      status,
      outcome,
      costUsd: 0.5,
      metrics: { turnCount: null, tokenUsage: null },
    });
  });

  test('runs come in the order of the summary, and then those that it does not list', async () => {
    const folder = evaluation(
      [
        { task_id: 'c', status: 'pending' },
        { run_id: 'a', status: 'submitted' },
        { task_id: 'named', status: 'submitted', output_dir: 'elsewhere/runs/b/' },
      ],
      {
        'a/info.json': RECORDS.forecastInfo,
        'b/info.json': RECORDS.forecastInfo,
        'z/trajectory.json': RECORDS.forecastTrajectory,
        'd/trajectory.json': RECORDS.forecastTrajectory,
      },
    );
    const { rows, account } = await read([folder]);
    expect(rows.map(({ id, source }) => [id, path.basename(source.path), source.index])).toEqual([
      ['c', 'summary.json', 0],
      ['a', 'a', null],
      ['named', 'b', null],
      ['d', 'd', null],
      ['z', 'z', null],
    ]);
    expect(account.trajectories).toBe(5);
  });

  test('the whole folder may be compressed, file by file', async () => {
    const files = {
      'summary.json': { runs: [{ task_id: 'a', status: 'submitted' }], total_cost: 1 },
      'runs/a/info.json': RECORDS.forecastInfo,
      'runs/a/trajectory.json': RECORDS.forecastTrajectory,
    };
    const plain = folderWith(Object.fromEntries(Object.entries(files).map(([name, value]) => [name, json(value)])));
    const packed = folderWith(
      Object.fromEntries(Object.entries(files).map(([name, value]) => [`${name}.gz`, gzipSync(json(value))])),
    );
    const [row] = await rowsOf([plain]);
    const rows = await rowsOf([packed]);
    expect(rows).toEqual([{ ...row, source: { path: path.join(packed, 'runs/a'), line: null, index: null } }]);
  });

  test('a summary by itself gives a row for each run', async () => {
    const row = await rowIn(json(RECORDS.forecastSummary), 'summary.json');
    expect(row).toMatchObject({ id: 'f1', outcome: 'skipped', costUsd: 1, source: { path: 'summary.json', index: 0 } });
  });
});

test('the three files by their names may be something else, and are read as what they are', async () => {
  const folder = folderWith({ 'r/trajectory.json': json(RECORDS.conversation), 'r/info.json': '{"name":"x"}' });
  const { rows, account } = await read([folder]);
  expect(rows.map(({ format, id }) => [format, id])).toEqual([['sdk', 'sdk-é']]);
  expect(account.trajectories).toBe(1);
});

test('events carry the times in ISO 8601 and the content as it stands', async () => {
  const events = await eventsOf([stream(json(RECORDS.forecastTrajectory), 'trajectory.json')]);
  expect(events.map(({ type, timestamp, data }) => [type, timestamp, (data as { content?: string }).content])).toEqual([
    ['user_message', null, 'Will it räin?'],
    ['token_usage', null, undefined],
    ['assistant_message', null, 'Yes'],
    ['tool_call', null, undefined],
    ['tool_result', '2026-02-02T02:40:00.500Z', undefined],
  ]);
});
