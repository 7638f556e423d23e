import { describe, expect, test } from 'vitest';
import type { TrajectoryRow } from '../../src/model/row.ts';
import { renderCsv } from '../../src/render/csv.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderMarkdown } from '../../src/render/md.ts';
import { rowsCsvHeader, rowToCsv } from '../../src/render/rows-csv.ts';
import { bareReport, emptyReport, matrixReport, nightlyReport, reportWithNames } from './fixture.ts';
import { NAUGHTY } from './naughty.ts';

const hostile = () => reportWithNames((i) => NAUGHTY[i % NAUGHTY.length]!);
/** Enough reports that every naughty string is a name in one of them. */
const hostiles = () =>
  Array.from({ length: Math.ceil(NAUGHTY.length / 40) }, (_, part) =>
    reportWithNames((i) => NAUGHTY[(part * 40 + i) % NAUGHTY.length]!),
  );

describe('json', () => {
  test('a report comes back as it was', () => {
    for (const report of [nightlyReport(), matrixReport(), bareReport(), emptyReport(), hostile()]) {
      expect(JSON.parse(renderJson(report))).toEqual(report);
    }
  });

  test('the order of keys is that of the contract, whatever order they were set in', () => {
    const report = nightlyReport();
    const reversed = reverseKeys(report) as typeof report;
    expect(Object.keys(reversed)).not.toEqual(Object.keys(report));
    expect(renderJson(reversed)).toBe(renderJson(report));
    expect(Object.keys(JSON.parse(renderJson(reversed)))).toEqual(Object.keys(report));
  });

  test('a tool named __proto__ is a tool', () => {
    const report = nightlyReport();
    report.total.tokensByModel = JSON.parse('{"__proto__": {"inputTokens": 1, "outputTokens": 2, "callCount": 3}}');
    expect(renderJson(report)).toContain('"__proto__": {\n        "inputTokens": 1,');
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reverseKeys(item)]),
  );
}

/** RFC 4180, read strictly. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`not RFC 4180 at ${at}: ${text.slice(at, at + 40)}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe('csv', () => {
  test('the nightly run', async () => {
    await expect(renderCsv(nightlyReport())).toMatchFileSnapshot('golden/report.csv');
  });

  test('every row has every column, with any names', () => {
    for (const report of [...hostiles(), matrixReport(), bareReport(), emptyReport()]) {
      const [header, ...rows] = parseCsv(renderCsv(report));
      expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([header!.length]));
      const texts = rows.flatMap((row) => row.slice(0, report.by.length + 2));
      expect(texts.filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
    }
  });

  test('a group and a metric are one row', () => {
    const [header, ...rows] = parseCsv(renderCsv(matrixReport()));
    expect(header!.slice(0, 4)).toEqual(['scope', 'task', 'model', 'metric']);
    const keys = rows.map((row) => JSON.stringify(row.slice(0, 4)));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

const ROW: TrajectoryRow = {
  type: 'trajectory-metrics',
  schema: 1,
  format: 'vally',
  source: { path: '-', line: 7, index: null },
  id: 't-1',
  task: '=cmd()',
  trial: 0,
  model: 'claude-opus-4-5',
  variant: null,
  executor: '',
  status: 'success',
  outcome: 'passed',
  scores: { score: 1 },
  startedAt: '2026-11-17T02:00:00.000Z',
  completedAt: null,
  metrics: {
    tokenUsage: {
      inputTokens: 400,
      outputTokens: 30,
      totalTokens: 430,
      cacheReadTokens: 100,
      cacheWriteTokens: 0,
      callCount: 2,
      byModel: {},
    },
    toolCallCount: 3,
    toolCallBreakdown: { bash: 3 },
    skillActivationCount: 0,
    skillActivationBreakdown: {},
    turnCount: 2,
    wallTimeMs: 1200.5,
    errorCount: 0,
  },
  costUsd: null,
  tools: { bash: { calls: 3, errors: 1, unanswered: 0, latencyMs: [1, 2, 3] } },
  errors: {},
  graders: {},
  judge: null,
  time: { llmMs: 1000, toolMs: 200, otherMs: 0.5 },
  messages: { system: 0, user: 1, assistant: 2, tool: 3 },
  patch: null,
  recorded: {},
};

describe('rows as csv', () => {
  test('a row has a cell for every column', () => {
    const [header, cells] = parseCsv(rowsCsvHeader() + rowToCsv(ROW));
    const row = Object.fromEntries(header!.map((name, i) => [name, cells![i]]));
    expect(cells!.length).toBe(header!.length);
    expect(row).toMatchObject({
      path: "'-",
      line: '7',
      index: '',
      task: "'=cmd()",
      wallTimeMs: '1200.5',
      costUsd: '',
      toolErrorCount: '1',
      cacheHitRate: '0.25',
      tools: '{"bash":{"calls":3,"errors":1,"unanswered":0,"latencyMs":[1,2,3]}}',
    });
  });

  test('a row without a trajectory has empty cells', () => {
    const bare = { ...ROW.metrics, tokenUsage: null, toolCallCount: null };
    const [header, cells] = parseCsv(rowsCsvHeader() + rowToCsv({ ...ROW, metrics: bare, tools: {} }));
    expect(cells![header!.indexOf('toolErrorCount')]).toBe('');
    expect(cells![header!.indexOf('inputTokens')]).toBe('');
  });
});

describe('markdown', () => {
  test('the nightly run', async () => {
    await expect(renderMarkdown(nightlyReport())).toMatchFileSnapshot('golden/report.md.txt');
  });

  test('a thousand groups still make a comment that GitHub accepts', () => {
    const report = matrixReport();
    report.groups = Array.from({ length: 1000 }, (_, i) => ({
      ...report.groups[0]!,
      key: { task: `${i} ${'漢'.repeat(200)}`, model: 'm'.repeat(10_000) },
    }));
    const text = renderMarkdown(report);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('… and 960 more.');
  });

  test('no name leaves its code span', () => {
    for (const report of hostiles()) {
      const text = renderMarkdown(report);
      // What is left without the spans is ours alone: the tags we wrote, the words we chose.
      const ours = text.replace(/`[^`\n]*`/g, '');
      expect(ours).not.toMatch(/<(?!\/?(details|summary|sub)>)|\]\(|https?:|@(?!k)|`/);
      const columns = (line: string) => line.split('|').length;
      let table = 0;
      for (const line of text.split('\n')) {
        table = line.startsWith('|') ? table || columns(line) : 0;
        if (table > 0) expect(columns(line)).toBe(table);
      }
    }
  });

  test('an empty report says so, and nothing else', () => {
    expect(renderMarkdown(emptyReport())).toBe(
      '### 0 trajectories\n\n<sub>0 trajectories in 0 files (0 B) · 0 lines: 0 good, 0 bad, 0 blank</sub>\n',
    );
    expect(renderMarkdown(bareReport())).not.toMatch(/null|NaN|undefined/);
  });
});
