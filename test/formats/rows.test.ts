import { describe, expect, test } from 'vitest';
import type { TrajectoryRow } from '../../src/index.ts';
import { lines, messagesOf, RECORDS, read, rowIn, rowsIn, stream } from '../support.ts';

const row = (): Promise<TrajectoryRow> => rowIn(lines(RECORDS.trialResult), 'a.jsonl');

describe('rows', () => {
  test('keep the source that they were made with', async () => {
    expect(await rowsIn(lines(await row(), { type: 'telemetry' }), 'rows')).toEqual([await row()]);
  });

  test('may come pretty-printed, as from jq', async () => {
    const one = await row();
    expect(await rowsIn(`${JSON.stringify(one, null, 2)}\n${JSON.stringify(one, null, 2)}\n`)).toEqual([one, one]);
  });

  test('what a filter took away is missing, and nothing else changes', async () => {
    const { tools, metrics, time, costUsd, recorded, messages, judge, ...rest } = await row();
    const [back] = await rowsIn(lines(rest));
    expect(back).toMatchObject(rest);
    expect(back).toMatchObject({
      tools: {},
      costUsd: null,
      judge: null,
      recorded: {},
      metrics: { tokenUsage: null, turnCount: null, wallTimeMs: null },
      time: { llmMs: null },
    });
  });

  test.each([
    [{ schema: 2 }, 'r:1: a row of schema 2, expected 1'],
    [{ schema: undefined }, 'r:1: a row of schema undefined, expected 1'],
    [{ outcome: 'great' }, 'r:1: a row with the outcome "great"'],
  ])('with %j are bad', async (change, message) => {
    const { rows, account } = await read([stream(lines({ ...(await row()), ...change }), 'r')]);
    expect([rows.length, account.bad, messagesOf(account)]).toEqual([0, 1, [message]]);
  });

  test('numbers that are none become missing', async () => {
    const good = await row();
    const [back] = await rowsIn(
      lines({ ...good, costUsd: 'much', trial: null, metrics: { ...good.metrics, turnCount: '3' } }),
    );
    expect([back.costUsd, back.trial, back.metrics.turnCount]).toEqual([null, null, null]);
  });

  test('hostile names are names like any other', async () => {
    const text = lines(await row()).replace(
      '"tools":{',
      '"tools":{"__proto__":{"calls":3,"errors":0,"unanswered":0,"latencyMs":[]},',
    );
    const [back] = await rowsIn(text);
    expect(Object.keys(back.tools)).toContain('__proto__');
    expect(Object.getPrototypeOf(back.tools)).toBe(Object.prototype);
  });
});
