import { describe, expect, test } from 'vitest';
import { DIMENSIONS, readReport } from '../../src/index.ts';
import { renderCsv } from '../../src/render/csv.ts';
import { renderHtml } from '../../src/render/html.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderMarkdown } from '../../src/render/md.ts';
import { renderTable } from '../../src/render/table.ts';
import { eventsOf, lines, stream } from '../support.ts';
import { PARSERS, readAll, trial } from './support.ts';

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'length',
  '',
  '(other)',
  '(unknown)',
  'null',
  '0',
];

/** A record in which everything that can have a name has this one. */
function record(name: string) {
  const grade = (passed: boolean) => ({ name, passed, score: 1 });
  const event = (type: string, data: object) => ({ type, data });
  return {
    ...{ type: 'trial-result', stimulus: name, variant: name, model: name, status: name, [name]: name },
    gradeResult: { ...grade(true), details: [grade(true), grade(false)] },
    trajectory: {
      id: name,
      metadata: { executor: name },
      events: [
        event('tool_call', { toolName: name, toolCallId: name, [name]: 1 }),
        event('tool_result', { toolCallId: name, success: false }),
        event('tool_call', { toolName: name, toolCallId: 1 }),
        event('skill_activation', { name }),
        event('error', { type: name }),
        event('token_usage', { model: name, inputTokens: 3, outputTokens: 1 }),
        event(name, {}),
      ],
    },
  };
}

/** A log of two such records, and two of a type with that name. */
const logOf = (name: string) => lines(record(name), record(name), { type: name }, { type: name });

const noPollution = () => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(PROTOTYPE);
  const empty: Record<string, unknown> = {};
  for (const key of ['x', 'calls', 'passed', 'inputTokens', 'count', 'type', 'name'])
    expect(empty[key]).toBeUndefined();
};
const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).sort();

describe.each(PARSERS)('names as data (%s)', (parser) => {
  test.each(NAMES)('%j is counted in a row like any other', async (name) => {
    const { rows, account } = await readAll(logOf(name), { parser });
    expect(rows).toHaveLength(2);
    const [row] = rows;
    expect(row).toMatchObject({ id: name, task: name, model: name, variant: name, executor: name, status: name });
    expect(Object.entries(row.tools)).toEqual([[name, { calls: 2, errors: 1, unanswered: 1, latencyMs: [] }]]);
    expect(Object.entries(row.graders)).toEqual([[name, { passed: 1, failed: 1 }]]);
    expect(Object.entries(row.errors)).toEqual([[name, 1]]);
    expect(Object.entries(row.metrics.toolCallBreakdown)).toEqual([[name, 2]]);
    expect(Object.entries(row.metrics.skillActivationBreakdown)).toEqual([[name, 1]]);
    expect(Object.entries(row.metrics.tokenUsage!.byModel)).toEqual([
      [name, { inputTokens: 3, outputTokens: 1, callCount: 1 }],
    ]);
    expect([...account.skipped]).toEqual([[name, 2]]);
    noPollution();
  });

  test.each(NAMES)('%j is counted in a report like any other, by rows too', async (name) => {
    const { report } = await readReport([stream(logOf(name))], [...DIMENSIONS], { parser });
    expect(report.groups).toHaveLength(1);
    for (const group of [report.total, ...report.groups]) {
      expect(group.trajectories).toBe(2);
      expect(group.tools).toMatchObject([{ name, calls: 4, errors: 2, unanswered: 2 }]);
      expect(group.skills).toEqual([{ name, activations: 2, trajectories: 2 }]);
      expect(group.errors).toEqual([{ type: name, count: 2 }]);
      expect(group.graders).toEqual([{ name, passed: 2, failed: 2 }]);
      expect(group.statuses).toEqual([{ status: name, count: 2 }]);
      expect(Object.entries(group.tokensByModel)).toEqual([[name, { inputTokens: 6, outputTokens: 2, callCount: 2 }]]);
    }
    expect(Object.entries(report.input.skipped)).toEqual([[name, 2]]);
    const { rows } = await readAll(logOf(name), { parser });
    const again = await readReport([stream(lines(...rows))], [...DIMENSIONS], { parser });
    expect({ ...again.report, input: null }).toEqual({ ...report, input: null });
    noPollution();
  });

  test('as keys of maps that are kept whole they stay what they were', async () => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null}');
    const log = lines({ type: 'trial-result', trajectory: { events: [{ type: 'x', data: value }] } });
    const [event] = await eventsOf([stream(log)], { parser });
    expect(JSON.stringify(event.data)).toBe(JSON.stringify(value));
    const scores =
      '{"task":"a","steps":[],"metrics":{"__proto__":1,"constructor":2},"execution_metrics":{"__proto__":3}}\n';
    const { rows } = await readAll(scores, { parser });
    expect(Object.entries(rows[0].recorded)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
    noPollution();
  });
});

describe('very long and very many names', () => {
  test('a name of 10 MB is cut, told of, and bounded in everything that is printed', async () => {
    const log = trial('a', {}, { events: [{ type: 'tool_call', data: { toolName: 'x'.repeat(10_000_000) } }] });
    const { rows, messages } = await readAll(log);
    // 200 characters, an ellipsis and a hash of 14 digits.
    expect(Object.keys(rows[0].tools)[0]).toHaveLength(200 + 1 + 14);
    expect(messages).toEqual([expect.stringMatching(/^1: 1 long texts? .*cut; see --max-value-bytes$/)]);
    const { report } = await readReport([stream(log + lines(record('y'.repeat(300_000))))], ['task', 'model']);
    const printed = [
      renderJson,
      renderCsv,
      renderMarkdown,
      renderHtml,
      (all: typeof report) => renderTable(all, { width: 80, color: false }),
    ];
    for (const render of printed) expect(render(report).length).toBeLessThan(200_000);
  });

  test('two long names that differ at their ends are two', async () => {
    const [one, two] = ['1', '2'].map((end) => lines(record('x'.repeat(500_000) + end)));
    const { report } = await readReport([stream(one + two)], ['task']);
    expect(report.groups).toHaveLength(2);
    expect(report.total.tools.map(({ calls }) => calls)).toEqual([2, 2]);
  });

  test('beyond a thousand tools the rest is one, and the sum is exact', async () => {
    const call = (n: number) => ({ type: 'tool_call', data: { toolName: `tool ${n}` } });
    const log = Array.from({ length: 100 }, (_, n) =>
      trial(`${n}`, {}, { events: Array.from({ length: 50 }, (_, m) => call(50 * n + m)) }),
    );
    const { report } = await readReport([stream(log.join(''))]);
    expect(report.total.tools).toHaveLength(1001);
    expect(report.total.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(5000);
    expect(report.total.capped).toContain('tools');
  });
});
