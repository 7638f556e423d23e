import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTable } from '../../src/render/table.ts';
import { displayWidth } from '../../src/render/width.ts';
import { bareReport, emptyReport, matrixReport, nightlyReport, reportWithNames } from './fixture.ts';
import { NAUGHTY } from './naughty.ts';

const plain = (width: number) => ({ width, color: false });

describe('golden tables', () => {
  for (const width of [80, 120, 200]) {
    test(`the nightly run at ${width} columns`, async () => {
      await expect(renderTable(nightlyReport(), plain(width))).toMatchFileSnapshot(`golden/table-${width}.txt`);
    });
  }

  test('by task and model, at 100 columns', async () => {
    await expect(renderTable(matrixReport(), plain(100))).toMatchFileSnapshot('golden/table-by-task-model.txt');
  });

  test('with colour', async () => {
    await expect(renderTable(nightlyReport(), { width: 100, color: true })).toMatchFileSnapshot(
      'golden/table-color.txt',
    );
  });
});

test('colour adds no character that is seen', () => {
  const colored = renderTable(nightlyReport(), { width: 100, color: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that were added
  expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(renderTable(nightlyReport(), plain(100)));
});

test('the account of the input comes first, and every line is in it', () => {
  const first = renderTable(nightlyReport(), plain(120)).split('\n', 1)[0];
  expect(first).toBe('Data       240 trajectories in 9 files, 38.2 MB · 263 lines: 258 good, 3 bad, 2 blank');
});

test('an empty report is an account of nothing', () => {
  expect(renderTable(emptyReport(), plain(80))).toBe(
    'Data       0 trajectories in 0 files, 0 B · 0 lines: 0 good, 0 bad, 0 blank\n',
  );
});

test('nothing is shown for what the log does not have', () => {
  const text = renderTable(bareReport(), plain(80));
  expect(text).toContain('3 ungraded');
  expect(text).not.toMatch(/Pass rate|Spend|Time|Tools|Per trajectory|null|NaN|undefined/);
});

test('p99 of fewer than 100 values is marked', () => {
  const report = nightlyReport();
  report.total.distributions.costUsd!.count = 99;
  const text = renderTable(report, plain(120));
  expect(text).toMatch(/^ {2}cost .*\$1\.70\* /m);
  expect(text).toContain('* of fewer than 100 values');
  expect(renderTable(nightlyReport(), plain(120))).not.toContain('fewer than');
});

test('a sketch is marked', () => {
  const report = nightlyReport();
  report.total.distributions.wallTimeMs = { ...report.total.distributions.wallTimeMs!, count: 20_000, exact: false };
  const text = renderTable(report, plain(120));
  expect(text).toContain('~20,000');
  expect(text).toContain('~ quantiles from a sketch');
});

test('a time split over different trajectories says so', () => {
  const report = nightlyReport();
  report.total.distributions.llmMs!.count = 99;
  const note = 'known for model 99, tools 237, other 237 trajectories';
  expect(renderTable(report, plain(120))).toContain(note);
  expect(renderTable(nightlyReport(), plain(120))).not.toContain('known for');
});

test('capped names are told', () => {
  const report = nightlyReport();
  report.total.capped = ['tools', 'errors'];
  expect(renderTable(report, plain(120))).toContain(
    'Capped     too many different errors, tools: the rest is counted under (other)',
  );
});

test('a long list is cut and its rest counted', () => {
  const report = nightlyReport();
  const [bash] = report.total.tools;
  report.total.tools = Array.from({ length: 40 }, (_, i) => ({ ...bash!, name: `tool-${i}` }));
  expect(renderTable(report, plain(120))).toContain('  … and 25 more\n');
});

test('no line is wider than the terminal, and no name is obeyed', () => {
  const name = fc.oneof(
    fc.constantFrom(...NAUGHTY),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 40, max: 220 }),
      fc.constantFrom(nightlyReport(), matrixReport()),
      (names, width, base) => {
        const text = renderTable(
          reportWithNames((i) => names[i % names.length]!, base),
          plain(width),
        );
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
      },
    ),
    { numRuns: 60 },
  );
});

test('columns stay aligned whatever the names are', () => {
  const text = renderTable(
    reportWithNames((i) => ['漢字', 'emoji 👩‍👩‍👧‍👦', 'e\u0301', 'plain'][i % 4]!),
    plain(120),
  );
  const table = text.split('\n').slice(text.split('\n').findIndex((line) => line.startsWith('Tools')) + 2);
  const rows = table.slice(0, table.indexOf(''));
  const callsEnd = rows.map((row) => displayWidth(row.match(/^ {2}.*?(?: {2,})[\d,]+/)![0]));
  expect(new Set(callsEnd).size).toBe(1);
});
