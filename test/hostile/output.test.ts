import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { NAUGHTY } from '../render/naughty.ts';
import { hasProgram, shell, trajstats } from '../support/trajstats.ts';
import { folderWith, lines } from '../support.ts';
import { trial, withEvents } from './support.ts';

/** What a terminal would obey, bidi controls among it; a newline is ours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const OBEYED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]/;

const FORMATS = ['json', 'txt', 'md', 'csv', 'html'] as const;
const printed: Record<string, string> = {};
let rows: { jsonl: string; csv: string } = { jsonl: '', csv: '' };

/** The Big List of Naughty Strings as names of everything, through the whole program, in every format. */
beforeAll(() => {
  const record = (name: string) => ({
    ...{ type: 'trial-result', stimulus: name, variant: name, model: name, status: name },
    gradeResult: { name, passed: false, score: 0 },
    trajectory: {
      id: name,
      events: [
        { type: 'tool_call', data: { toolName: name, toolCallId: '1' } },
        { type: 'error', data: { type: name } },
        { type: 'skill_activation', data: { name } },
        { type: 'token_usage', data: { model: name, inputTokens: 5 } },
      ],
    },
  });
  const folder = folderWithoutTest(lines(...NAUGHTY.map(record), ...NAUGHTY.map((type) => ({ type }))));
  const out = FORMATS.flatMap((format) => ['--out', `report.${format}`]);
  const { code, err } = trajstats(['log.jsonl', '--by', 'model,task', '--max-value-bytes', '200000', ...out], {
    cwd: folder,
  });
  expect([code, err]).toEqual([0, expect.not.stringMatching(OBEYED)]);
  for (const format of FORMATS) printed[format] = readFileSync(path.join(folder, `report.${format}`), 'utf8');
  rows = {
    jsonl: trajstats(['metrics', 'log.jsonl'], { cwd: folder }).out,
    csv: trajstats(['metrics', 'log.jsonl', '--format', 'csv'], { cwd: folder }).out,
  };
  return () => rmSync(folder, { recursive: true, force: true });
});

describe('naughty names', () => {
  test.each(FORMATS)('leave nothing in a %s report that a terminal would obey', (format) => {
    expect(printed[format].length).toBeGreaterThan(10_000);
    expect(printed[format].replaceAll('\r\n', '\n').match(OBEYED)).toBeNull();
  });

  test('are in the JSON report as they were, which is strict JSON', () => {
    const report = JSON.parse(printed.json);
    expect(report.total.trajectories).toBe(NAUGHTY.length);
    const short = NAUGHTY.filter((name) => name.length <= 200);
    const keys = new Set(report.groups.map(({ key }: { key: { model: string } }) => key.model));
    expect(short.filter((name) => !keys.has(name))).toEqual([]);
  });

  test('are in the rows as they were, which are strict JSON, one a line', () => {
    const all = rows.jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(all.map(({ task }) => task)).toEqual(NAUGHTY);
    expect(rows.jsonl.match(OBEYED)).toBeNull();
  });

  test.each(['the report', 'the rows'])('start no formula in the CSV of %s, and numbers stay numbers', (what) => {
    const cells = csvCells(what === 'the rows' ? rows.csv : printed.csv);
    const width = cells[0].length;
    expect(width).toBeGreaterThan(5);
    expect(cells.filter((line) => line.length !== width)).toEqual([]);
    const texts = cells.flat().filter((cell) => !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(cell));
    expect(texts.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  });

  test('open no tag, attribute or script in HTML', () => {
    const tags = [...printed.html.matchAll(/<\s*\/?\s*([a-z!][a-z0-9-]*)/gi)].map(([, tag]) => tag.toLowerCase());
    for (const tag of ['img', 'iframe', 'object', 'embed', 'video', 'marquee']) expect(tags).not.toContain(tag);
    expect(tags.filter((tag) => tag === 'script').length).toBeLessThanOrEqual(2);
    expect(printed.html).toContain('Content-Security-Policy');
    for (const [, target] of printed.html.matchAll(/<a\b[^>]*href="([^"]*)/gi)) expect(target).toMatch(/^#/);
    expect(printed.html.replace(/<script[\s\S]*?<\/script>/g, '')).not.toMatch(/<[^>]+\son[a-z]+\s*=/i);
  });

  test('stay in their cells in Markdown', () => {
    const outside = printed.md.replace(/`[^`\n]*`/g, '');
    expect(outside).not.toMatch(/<(?:script|img|iframe|svg|a)\b/i);
    expect(outside).not.toMatch(/\]\((?:javascript|http)/i);
    expect(outside).not.toContain('@octocat');
  });
});

test.skipIf(!hasProgram('script'))(
  'events on a terminal hold nothing that it would obey, and in a pipe they are as they were',
  () => {
    const name = '\x9b2J\u202e\u2066';
    const folder = folderWith({ 'a.jsonl': withEvents({ type: 'x', data: { name } }) });
    const piped = shell('trajstats events a.jsonl', { cwd: folder }).out;
    expect(JSON.parse(piped).data.name).toBe(name);
    const seen = shell("script -qec 'trajstats events a.jsonl' /dev/null", { cwd: folder }).out;
    expect(seen.replaceAll('\r\n', '\n')).not.toMatch(OBEYED);
    expect(JSON.parse(seen)).toEqual(JSON.parse(piped));
  },
);

describe('messages', () => {
  const ESCAPES = '\x1b[31m\x1b]52;c;cm0=\x07\x9b2J\u202e';

  test('show escapes of a file name, of a text and of an argument as text', () => {
    const folder = folderWith({
      [`${ESCAPES}.jsonl`]: `${trial('a')}${ESCAPES}\n{"type":"trial-result","x":1,"${ESCAPES}\n`,
    });
    for (const args of [
      ['.'],
      [`${ESCAPES}.jsonl`],
      ['metrics', `nowhere${ESCAPES}`],
      ['--by', ESCAPES],
      [`--${ESCAPES}`],
      ['--out', `x${ESCAPES}`],
      ['--where', ESCAPES],
    ]) {
      const { code, err } = trajstats(args, { cwd: folder });
      expect([args, code]).toEqual([args, 2]);
      expect(err).not.toMatch(OBEYED);
      expect(err).toContain('\\u');
    }
  });

  test('of a log name a record in one line each, whatever it holds', () => {
    const evil = `x\n\n/etc/passwd:1: all is well${ESCAPES}`;
    const split = JSON.stringify([{ instance_id: evil, trajectory: `../${evil}` }]);
    const { err } = trajstats(['s.trials.json'], { cwd: folderWith({ 's.trials.json': split }) });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toMatch(/^s\.trials\.json: element 0: refused to read/);
    expect(err).not.toMatch(OBEYED);
    const twice = trajstats(['metrics'], { input: trial(evil).repeat(2) });
    expect(twice.err.trim().split('\n')).toHaveLength(1);
  });
});

/** RFC 4180, read back. */
function csvCells(text: string): string[][] {
  const records: string[][] = [];
  for (const line of text.trimEnd().split(/\r?\n/)) {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)];
    records.push(cells.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare));
  }
  return records;
}

function folderWithoutTest(log: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-test-'));
  writeFileSync(path.join(folder, 'log.jsonl'), log);
  return folder;
}
