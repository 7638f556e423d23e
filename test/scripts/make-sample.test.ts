import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/make-sample.mjs', import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: the logs are read as they come, apart from the code under test
type Json = any;

function make(...args: string[]) {
  const run = spawnSync(process.execPath, [script, ...args], { maxBuffer: 1 << 30 });
  return { status: run.status, bytes: run.stdout, text: run.stdout.toString(), error: run.stderr.toString() };
}
const makeLines = (...args: string[]): Json[] =>
  make(...args)
    .text.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const count = (items: Json[], name: (item: Json) => string) => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[name(item)] = (counts[name(item)] ?? 0) + 1;
  return counts;
};
const sum = (items: Json[], value: (item: Json) => number) => items.reduce((total, item) => total + value(item), 0);

/** The rules of the vally format, straight from its table, not from the program. */
function recompute(trajectory: Json) {
  const of = (type: string) => trajectory.events.filter((event: Json) => event.type === type);
  const usage = of('token_usage').map((event: Json) => event.data);
  const byModel: Record<string, Json> = {};
  for (const { model } of usage) {
    const own = usage.filter((one: Json) => one.model === model);
    byModel[model] = {
      inputTokens: sum(own, (one) => one.inputTokens),
      outputTokens: sum(own, (one) => one.outputTokens),
      callCount: own.length,
    };
  }
  const inputTokens = sum(usage, (one) => one.inputTokens);
  const outputTokens = sum(usage, (one) => one.outputTokens);
  const { startedAt, completedAt } = trajectory.metadata;
  return {
    tokenUsage: {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      cacheReadTokens: sum(usage, (one) => one.cacheReadTokens),
      cacheWriteTokens: sum(usage, (one) => one.cacheWriteTokens),
      callCount: usage.length,
      byModel,
    },
    toolCallCount: of('tool_call').length,
    toolCallBreakdown: count(of('tool_call'), (event) => event.data.toolName),
    skillActivationCount: of('skill_activation').length,
    skillActivationBreakdown: count(of('skill_activation'), (event) => event.data.name),
    turnCount: of('turn_end').length,
    wallTimeMs: Date.parse(completedAt) - Date.parse(startedAt),
    errorCount: of('error').length,
  };
}

describe.each(['vally', 'trials', 'sdk', 'forecast', 'rows'])('a sample of %s', (format) => {
  it.each([
    ['1MB', 1e6],
    ['8MB', 8e6],
  ])('of %s is valid JSON of about that size', (size, bytes) => {
    const { text, bytes: written } = make('--format', format, '--size', size);
    expect(Math.abs(written.length - bytes) / bytes).toBeLessThan(0.05);
    if (format === 'trials' || format === 'forecast') JSON.parse(text);
    else for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toContain('\ufffd');
  });

  it('is the same for the same seed, and another for another', () => {
    const hash = (...args: string[]) =>
      createHash('sha1')
        .update(make('--format', format, '--size', '500KB', ...args).bytes)
        .digest('hex');
    expect(hash()).toBe(hash('--seed', '1'));
    expect(hash('--seed', '2')).not.toBe(hash());
  });
});

describe('vally', () => {
  const records = makeLines('--format', 'vally', '--size', '8MB', '--record-size', '20KB');
  const trials = records.filter((record) => record.type === 'trial-result');
  const trajectories = trials.filter((record) => record.trajectory).map((record) => record.trajectory);

  it('ends with its only run-summary, and has errored and skipped trials', () => {
    expect(count(records, (record) => record.type)).toEqual({ 'trial-result': records.length - 1, 'run-summary': 1 });
    expect(records.at(-1).type).toBe('run-summary');
    expect(Object.keys(count(trials, (record) => record.status)).sort()).toEqual(['error', 'skipped', 'success']);
  });

  it('records the metrics that its events add up to, after the events', () => {
    for (const trajectory of trajectories) expect(trajectory.metrics).toEqual(recompute(trajectory));
    const keys = ['events', 'id', 'output', 'stimulus', 'workDir', 'endReason', 'metadata', 'metrics'];
    expect(Object.keys(trajectories[0])).toEqual(keys);
  });

  it('has events in order of time, within the run', () => {
    for (const { events, metadata } of trajectories) {
      const times = [metadata.startedAt, ...events.map((event: Json) => event.timestamp), metadata.completedAt];
      expect(times).toEqual([...times].sort());
    }
  });

  it('has parallel calls, failures, calls without an answer, and text beyond ASCII', () => {
    const events = trajectories.flatMap((trajectory) => trajectory.events);
    const pairs = events.slice(1).map((event, i) => `${events[i].type} ${event.type}`);
    expect(pairs).toContain('tool_call tool_call');
    expect(events.some((event) => event.type === 'tool_result' && !event.data.success)).toBe(true);
    const types = count(events, (event) => event.type);
    expect(types.tool_result).toBeLessThan(types.tool_call!);
    expect(types).toHaveProperty('error');
    expect(types).toHaveProperty('skill_activation');
    expect(JSON.stringify(events)).toMatch(/日本語.*🚀/);
  });

  it('says what it wrote', () => {
    const { error, bytes } = make('--format', 'vally', '--size', '8MB', '--record-size', '20KB', '--summary');
    const summary = JSON.parse(error);
    const metrics = trajectories.map((trajectory) => trajectory.metrics);
    expect(summary).toMatchObject({
      bytes: bytes.length,
      trajectories: trials.length,
      events: sum(trajectories, (trajectory) => trajectory.events.length),
      inputTokens: sum(metrics, (one) => one.tokenUsage.inputTokens),
      toolCallCount: sum(metrics, (one) => one.toolCallCount),
      wallTimeMs: sum(metrics, (one) => one.wallTimeMs),
    });
    expect(summary.outcomes.passed).toBe(trials.filter((record) => record.gradeResult?.passed).length);
  });

  it('makes every task by model by trial once', () => {
    const all = makeLines(
      '--format',
      'vally',
      '--tasks',
      '4',
      '--models',
      '2',
      '--trials',
      '3',
      '--record-size',
      '4KB',
    );
    const cells = all.slice(0, -1).map((record) => `${record.stimulus} ${record.model} ${record.trialIndex}`);
    expect(cells).toHaveLength(24);
    expect(new Set(cells).size).toBe(24);
    expect(all[0].totalTrials).toBe(3);
  });

  it('makes one record of many events', () => {
    const [record, ...rest] = makeLines('--format', 'vally', '--records', '1', '--events-per-record', '20000');
    expect(rest).toHaveLength(1);
    expect(Math.abs(record.trajectory.events.length - 20_000)).toBeLessThan(20);
    expect(record.trajectory.metrics).toEqual(recompute(record.trajectory));
  });

  it('makes one giant record', () => {
    const { text } = make('--format', 'vally', '--giant-record', '--size', '5MB');
    expect(text.indexOf('\n')).toBeGreaterThan(4.9e6);
  });
});

describe.each(['vally', 'trials', 'sdk', 'forecast'])('a giant string in %s', (format) => {
  it('is there once, of exactly that size', () => {
    const { text, bytes } = make('--format', format, '--giant-string', '3MB', '--size', '4MB');
    expect(Math.abs(bytes.length - 4e6)).toBeLessThan(2e5);
    const strings = text.match(/"(?:[^"\\]|\\.)*"/g)!.filter((string) => string.length > 1e6);
    expect(strings.map((string) => Buffer.byteLength(string) - 2)).toEqual([3e6]);
  });
});

it('trials: recorded turns and cost are those of the responses, counted once per message id', () => {
  const instances: Json[] = JSON.parse(make('--format', 'trials', '--size', '2MB').text);
  let repeated = 0;
  for (const { trajectory } of instances) {
    const responses = new Map<string, Json>();
    for (const event of trajectory) {
      if (event.type !== 'assistant') continue;
      if (responses.has(event.message.id)) repeated++;
      responses.set(event.message.id, event.message);
    }
    const last = [...responses.values()];
    const result = trajectory.at(-1);
    expect(result.num_turns).toBe(responses.size);
    expect(result.total_cost_usd).toBeCloseTo(
      sum(last, (message) => message.cost),
      9,
    );
    expect(result.usage.input_tokens).toBe(sum(last, (message) => message.usage.input_tokens));
    expect(result.duration_ms).toBe(Date.parse(result.timestamp) - Date.parse(trajectory[0].timestamp));
  }
  expect(repeated).toBeGreaterThan(0);
});

it('sdk: each step repeats the one before it', () => {
  for (const { task, steps } of makeLines('--format', 'sdk', '--size', '1MB')) {
    expect(steps).toHaveLength(task.num_turns);
    expect(steps.length).toBeGreaterThan(2);
    for (let i = 1; i < steps.length; i++) {
      const before = steps[i - 1].messages;
      expect(steps[i].messages.slice(0, before.length)).toEqual(before);
      expect(steps[i].messages.length).toBeGreaterThan(before.length);
    }
  }
});

it('forecast: steps name only messages that are there, each output once', () => {
  const { messages, steps } = JSON.parse(make('--format', 'forecast', '--size', '1MB').text);
  const keys = new Set(messages.map((one: Json) => one.key));
  expect(keys.size).toBe(messages.length);
  for (const { input, output } of steps) for (const key of [...input, output]) expect(keys).toContain(key);
  expect(new Set(steps.map((step: Json) => step.output)).size).toBe(steps.length);
});

it('rows: breakdowns and latencies add up', () => {
  for (const row of makeLines('--format', 'rows', '--records', '200')) {
    const calls = Object.values<Json>(row.tools);
    expect(row.metrics.toolCallCount).toBe(sum(calls, (tool) => tool.calls));
    for (const tool of calls) expect(tool.latencyMs).toHaveLength(tool.calls);
    expect(row.time.llmMs + row.time.toolMs + row.time.otherMs).toBe(row.metrics.wallTimeMs);
  }
});

it('refuses what it does not understand', () => {
  expect(make('--format', 'csv').status).toBe(2);
  expect(make('--format', 'vally', '--size', 'big').error).toContain('not a size: big');
  expect(make('--format', 'vally', '--records', '0').status).toBe(2);
});
