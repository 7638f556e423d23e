import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Distribution, Group, Rate, Report, RowRef } from '../../src/model/report.ts';
import { METRIC_NAMES } from '../../src/model/report.ts';
import { renderCsv } from '../../src/render/csv.ts';
import { renderHtml } from '../../src/render/html.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderMarkdown } from '../../src/render/md.ts';
import { renderTable } from '../../src/render/table.ts';
import { displayWidth } from '../../src/render/width.ts';
import { emptyReport } from './fixture.ts';

/** Any report the interface allows, with values from nothing to absurd: no renderer may fail on one. */

const value = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 1e-9, 999.5, 59_950, 999_999, 1e15, 1e21, 1e300, 5e-324, 1.7e308, -1.7e308),
  fc.double({ min: -1e6, max: 1e12, noNaN: true }),
  fc.nat(100_000),
);
const count = fc.oneof(fc.nat(5), fc.nat(1_000_000));
const name = fc
  .oneof(fc.constantFrom('bash', '', '__proto__', '漢字', '<b>', '=1'), fc.string({ maxLength: 40 }))
  // The words that are looked for below must come from a renderer.
  .filter((text) => !/NaN|Infinity|undefined|null|object/.test(text));
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const distribution: fc.Arbitrary<Distribution> = fc
  .record({ values: fc.array(value, { maxLength: 7 }), missing: count, extra: fc.nat(20_000), exact: fc.boolean() })
  .map(({ values, missing, extra, exact }) => {
    if (values.length === 0) {
      const none = {
        sum: null,
        mean: null,
        sd: null,
        min: null,
        p50: null,
        p90: null,
        p95: null,
        p99: null,
        max: null,
      };
      return { count: 0, missing, ...none, exact: true };
    }
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
    const sum = values.reduce((total, item) => total + item, 0);
    const quantiles = { min: at(0), p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
    const size = values.length + extra;
    return { count: size, missing, sum, mean: sum / values.length, sd: size < 2 ? null : 1, ...quantiles, exact };
  });

const share = fc.double({ min: 0, max: 1, noNaN: true });
const rate: fc.Arbitrary<Rate> = fc
  .record({
    shares: fc.tuple(share, share, share),
    n: fc.integer({ min: 1, max: 1_000_000 }),
    method: fc.constantFrom('wilson', 'clustered-t'),
  })
  .map(({ shares, n, method }) => {
    const [low, middle, high] = shares.toSorted((a, b) => a - b) as [number, number, number];
    return { value: middle, n, low, high, standardError: n < 2 ? null : 0.1, clusters: 3, method };
  });
const shareByK = fc
  .nat(10)
  .chain((k) => fc.tuple(...Array.from({ length: k }, () => share)))
  .map((shares) => {
    return Object.fromEntries((shares as number[]).map((item, i) => [String(i + 1), item]));
  });
const reference: fc.Arbitrary<RowRef> = fc.record({
  path: name,
  line: nullable(count),
  index: nullable(count),
  id: nullable(name),
  task: nullable(name),
  model: nullable(name),
  value,
});

const group = (by: string[]): fc.Arbitrary<Group> =>
  fc.record({
    key: fc.record(Object.fromEntries(by.map((field) => [field, nullable(name)]))),
    trajectories: count,
    tasks: count,
    outcomes: fc.record({
      passed: count,
      failed: count,
      error: count,
      timeout: count,
      skipped: count,
      ungraded: count,
    }),
    passRate: nullable(rate),
    strictPassRate: nullable(rate),
    passAtK: shareByK,
    passHatK: shareByK,
    distributions: fc
      .tuple(
        fc.record(Object.fromEntries(METRIC_NAMES.map((key) => [key, distribution]))),
        fc.dictionary(name, distribution),
      )
      .map(([metrics, scores]) => ({
        ...metrics,
        ...Object.fromEntries(Object.entries(scores).map(([key, item]) => [`scores.${key}`, item])),
      })),
    tokensByModel: fc.dictionary(name, fc.record({ inputTokens: count, outputTokens: count, callCount: count })),
    tools: fc.array(
      fc.record({
        name,
        calls: count,
        errors: count,
        errorRate: nullable(share),
        unanswered: count,
        latencyMs: distribution,
      }),
      { maxLength: 20 },
    ),
    skills: fc.array(fc.record({ name, activations: count, trajectories: count })),
    errors: fc.array(fc.record({ type: name, count })),
    graders: fc.array(fc.record({ name, passed: count, failed: count })),
    statuses: fc.array(fc.record({ status: name, count })),
    judge: nullable(fc.record({ inputTokens: count, outputTokens: count, latencyMs: count })),
    flaky: fc.array(
      fc.record({ task: name, passed: fc.integer({ min: 1, max: 9 }), failed: fc.integer({ min: 1, max: 9 }) }),
    ),
    costPerPass: nullable(fc.double({ min: 0, max: 1e6, noNaN: true })),
    slowest: fc.array(reference, { maxLength: 5 }),
    costliest: fc.array(reference, { maxLength: 5 }),
  });

const report: fc.Arbitrary<Report> = fc
  .constantFrom<string[]>([], ['model'], ['task', 'model'], ['day', 'path', 'outcome'])
  .chain((by) =>
    fc
      .record({
        total: group([]),
        groups: by.length === 0 ? fc.constant<Group[]>([]) : fc.array(group(by), { maxLength: 4 }),
        skipped: fc.dictionary(name, count),
        bad: count,
        problems: fc.array(fc.record({ path: name, line: nullable(count), message: name }), { maxLength: 10 }),
      })
      .map(({ total, groups, skipped, bad, problems }) => {
        const empty = emptyReport();
        return { ...empty, by, total, groups, input: { ...empty.input, skipped, bad, problems } };
      }),
  );

test('every report that the interface allows is drawn in every format', () => {
  fc.assert(
    fc.property(report, fc.integer({ min: 20, max: 240 }), (any, width) => {
      const table = renderTable(any, { width, color: false });
      for (const line of table.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(40, width));
      const page = renderHtml(any).replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
      // Whatever is wrong in a drawing is wrong in its attributes.
      expect(page.match(/(?:x|y|cx|cy|width|height|d|x1|x2|y1|y2)="[^"]*(?:NaN|Infinity|undefined|null)[^"]*"/)).toBe(
        null,
      );
      expect(page.match(/ (?:width|height|r)="-/)).toBe(null);
      for (const text of [table, renderMarkdown(any)]) expect(text).not.toMatch(/NaN|undefined|\[object/);
      expect(renderCsv(any)).not.toMatch(/NaN|undefined/);
      expect(JSON.parse(renderJson(any))).toEqual(JSON.parse(JSON.stringify(any)));
    }),
    { numRuns: 100 },
  );
});
