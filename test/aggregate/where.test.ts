import { describe, expect, test } from 'vitest';
import { matches, parseWhere } from '../../src/aggregate/where.ts';
import { METRIC_NAMES } from '../../src/model/report.ts';
import { makeRow, makeUsage } from './rows.ts';

const row = makeRow({
  id: '007',
  task: 'web/login',
  trial: 2,
  model: 'claude-sonnet-4',
  status: 'null',
  outcome: 'failed',
  source: { path: 'runs/a.jsonl', line: 12 },
  startedAt: '2026-03-01T23:30:00.000Z',
  costUsd: 0.25,
  scores: { score: 0.5 },
  metrics: { wallTimeMs: 9000, toolCallCount: 3 },
  tools: { bash: { calls: 3, errors: 0, unanswered: 0, latencyMs: [] } },
});

const holds = (...conditions: string[]) =>
  matches(
    conditions.map((condition) => structuredClone(parseWhere(condition))),
    row,
  );

describe('a condition holds', () => {
  test.each([
    'model = claude-sonnet-4',
    'model=claude-sonnet-4',
    "  model  =  'claude-sonnet-4' ",
    'model != gpt',
    'model ~ SONNET',
    'task ~ ^web/',
    'task ~ "^web/login$"',
    'id = 007',
    'trial = 2.0',
    'trial >= 2',
    'line < 100', // as numbers, for as text 12 is less than 100 and 9 is not
    'wallTimeMs < 10000',
    'wallTimeMs >= 9e3',
    'costUsd <= 0.25',
    'scores.score = 0.5',
    'scores.other = null',
    'tools.bash > 2',
    'tools.read = 0',
    'tools.__proto__ = 0',
    'scores.constructor = null',
    'day = 2026-03-01',
    'day < 2026-03-02',
    'startedAt < 2026-03-02',
    'startedAt >= 2026-03-01T23:30',
    'startedAt = 2026-03-02T01:30:00+02:00',
    'startedAt ~ ^2026-03',
    'completedAt = null',
    'variant = null',
    'variant != x',
    'status = "null"',
    'status != null',
    'outcome = failed',
    'format = vally',
    'executor = null',
    'path ~ \\.jsonl$',
    'inputTokens = null',
    'toolErrorCount = 0',
  ])('%s', (condition) => {
    expect(holds(condition)).toBe(true);
  });
});

describe('a condition does not hold', () => {
  test.each([
    'model = Claude-Sonnet-4',
    'model ~ ^sonnet',
    'variant ~ .',
    'variant < z',
    'variant > a',
    'inputTokens < 1',
    'inputTokens >= 0',
    'inputTokens != null',
    'status = null',
    'wallTimeMs > 10000',
    'costUsd != 0.25',
    'trial > 10',
    'completedAt < 2030-01-01',
    'startedAt < 2026-03-01T23:30',
  ])('%s', (condition) => {
    expect(holds(condition)).toBe(false);
  });
});

test('all conditions must hold, and none hold for everything', () => {
  expect(holds('trial = 2', 'line = 12')).toBe(true);
  expect(holds('trial = 2', 'line = 13')).toBe(false);
  expect(holds()).toBe(true);
});

test('a tool was not called 0 times where there is no trajectory', () => {
  expect(matches([parseWhere('tools.bash = 0')], makeRow())).toBe(false);
  expect(matches([parseWhere('tools.bash = null')], makeRow())).toBe(true);
});

test('the hit rate of no input is null', () => {
  const nothing = makeRow({ metrics: { tokenUsage: makeUsage() } });
  expect(matches([parseWhere('cacheHitRate = null')], nothing)).toBe(true);
});

test('every metric is a field', () => {
  for (const name of METRIC_NAMES) expect(parseWhere(`${name} > 1`)).toEqual({ field: name, operator: '>', value: 1 });
});

test('a name may hold spaces', () => {
  expect(parseWhere('tools.my tool >= 1')).toEqual({ field: 'tools.my tool', operator: '>=', value: 1 });
});

describe('a mistake is explained', () => {
  test.each([
    ['modle = x', "unknown field 'modle', did you mean 'model'?"],
    ['cost > 1', "did you mean 'costUsd'?"],
    ['walltimems > 1', "did you mean 'wallTimeMs'?"],
    ['__proto__ = 1', "unknown field '__proto__'; fields are model, task,"],
    ['model', "expected FIELD OP VALUE with one of = != < <= > >= ~, got 'model'"],
    ['= 3', 'expected FIELD OP VALUE'],
    ['model =', 'expected FIELD OP VALUE'],
    ['model == x', 'expected FIELD OP VALUE'],
    ['', 'expected FIELD OP VALUE'],
    ['wallTimeMs > fast', "expected a number for 'wallTimeMs', got 'fast'"],
    ['wallTimeMs > ""', "expected a number for 'wallTimeMs', got ''"],
    ['startedAt > tomorrow', "expected a date or time (ISO 8601) for 'startedAt', got 'tomorrow'"],
    ['startedAt > 5', 'expected a date or time'],
    ['task ~ (', 'Invalid regular expression'],
    ['trial > null', 'null is neither less nor greater'],
  ])('%s', (condition, message) => {
    expect(() => parseWhere(condition)).toThrow(message);
  });
});
