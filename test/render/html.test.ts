import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inertText } from '../../src/render/escape.ts';
import { html } from '../../src/render/html/markup.ts';
import { renderHtml } from '../../src/render/html.ts';
import { bareReport, emptyReport, matrixReport, nightlyReport, reportWithNames } from './fixture.ts';
import { NAUGHTY } from './naughty.ts';

const REPORTS = { nightly: nightlyReport, matrix: matrixReport, bare: bareReport, empty: emptyReport };

test('a template escapes all but markup', () => {
  expect(html`<b title="${'"x"'}">${'<i>'}${html`<u>${1}</u>`}${[html`<s>`, '&']}${null}${false}</b>`.text).toBe(
    '<b title="&quot;x&quot;">&lt;i&gt;<u>1</u><s>&amp;</b>',
  );
});

describe.each(Object.entries(REPORTS))('the page of the %s report', (_name, report) => {
  const page = renderHtml(report(), { title: 'T', generatedAt: '2026-11-18' });

  test('the policy allows this style, this script, and nothing else', () => {
    const policy = page.match(/Content-Security-Policy" content="([^"]*)"/)![1]!.replaceAll('&#39;', "'");
    const hash = (tag: string) =>
      createHash('sha256')
        .update(page.match(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`))![1]!)
        .digest('base64');
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash('style')}'; script-src 'sha256-${hash('script')}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/ style="| on\w+="|https?:|javascript:/);
  });

  test('the same report gives the same bytes', () => {
    expect(renderHtml(report(), { title: 'T', generatedAt: '2026-11-18' })).toBe(page);
  });

  test('no number went wrong', () => {
    expect(page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')).not.toMatch(/NaN|Infinity|undefined|\bnull\b|\[object/);
  });

  test('every tag is closed, in order', () => {
    expect(unbalanced(page)).toEqual([]);
  });

  test('every chart has a title', () => {
    const charts = page.match(/<svg [^>]*>/g) ?? [];
    const named = page.match(/<svg [^>]*role="img"[^>]*><title>[^<]+<\/title>/g) ?? [];
    expect(named.length).toBe(charts.filter((chart) => !chart.includes('aria-hidden')).length);
  });
});

/** A page that is written by hand can be checked strictly: what opens is closed, and ids are unique. */
function unbalanced(page: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const text = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
  for (const [, close, tag, end] of text.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:\s+[a-zA-Z0-9-]+(?:="[^"]*")?)*\s*(\/?)>/g,
  )) {
    if (end || ['meta', 'link'].includes(tag!)) continue;
    if (!close) open.push(tag!);
    else if (open.pop() !== tag) wrong.push(tag!);
  }
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  return [...wrong, ...open, ...ids.filter((id, i) => ids.indexOf(id) !== i)];
}

test('without groups there is no group table, and without tasks and models no matrix', () => {
  const report = nightlyReport();
  report.by = [];
  report.groups = [];
  expect(renderHtml(report)).not.toMatch(/id="groups"|id="matrix"/);
  expect(renderHtml(report)).toContain('id="flaky"');
  expect(renderHtml(nightlyReport())).toContain('id="groups"');
});

test('the matrix marks flaky cells and takes the place of the flaky list', () => {
  const page = renderHtml(matrixReport());
  expect(page).toContain('id="matrix"');
  expect(page).not.toContain('id="flaky"');
  expect(page.match(/aria-label="flaky"/g)).toHaveLength(11);
  expect(page).toContain('! 4');
});

test('finer groups add up in the matrix', () => {
  const report = matrixReport();
  report.by = ['task', 'model', 'variant'];
  report.groups = ['a', 'b'].flatMap((variant) =>
    report.groups.slice(0, 1).map((group) => ({ ...group, key: { ...group.key, variant } })),
  );
  expect(renderHtml(report)).toContain('8/8</span>');
});

test('no name opens a tag or ends an attribute', () => {
  for (let part = 0; part * 40 < NAUGHTY.length; part++) {
    const names = (i: number) => NAUGHTY[(part * 40 + i) % NAUGHTY.length]!;
    const page = renderHtml(reportWithNames(names));
    expect(unbalanced(page)).toEqual([]);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(inertText(page.replaceAll('\n', ''))).toBe(page.replaceAll('\n', ''));
  }
});

test('p99 of few values is marked, and capped names are told', () => {
  const report = nightlyReport();
  report.total.distributions.costUsd!.count = 12;
  report.total.capped = ['tools'];
  const page = renderHtml(report);
  expect(page).toContain('<dt>p99*</dt>');
  expect(page).toContain('names capped');
});
