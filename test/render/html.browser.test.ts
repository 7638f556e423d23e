import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { inertText } from '../../src/render/escape.ts';
import { renderHtml } from '../../src/render/html.ts';
import { FLAGS, findChromium } from './chromium.ts';
import { bareReport, emptyReport, matrixReport, nightlyReport } from './fixture.ts';
import { PAYLOADS } from './payloads.ts';

const executablePath = findChromium();
if (executablePath === null) {
  console.warn('\n*** NO CHROMIUM FOUND: the HTML report is NOT tested in a browser. apt-get install chromium ***\n');
}

const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 800 } };
type Screen = keyof typeof SCREENS;
type Scheme = 'light' | 'dark';

describe.skipIf(executablePath === null)('the page in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'trajstats-html-'));

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: FLAGS });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page from disk, and keeps all that must not happen. */
  async function open(content: string, screen: Screen = 'desktop', colorScheme: Scheme = 'light', javaScript = true) {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.html`);
    writeFileSync(file, content);
    const context = await browser.newContext({
      viewport: SCREENS[screen],
      colorScheme,
      javaScriptEnabled: javaScript,
      offline: false,
    });
    const page = await context.newPage();
    const incidents: string[] = [];
    const url = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url() !== url && request.url() !== 'data:,') incidents.push(`request ${request.url()}`);
    });
    page.on('console', (message) => incidents.push(`console ${message.text()}`));
    page.on('pageerror', (error) => incidents.push(`error ${error.message}`));
    page.on('dialog', (dialog) => {
      incidents.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('framenavigated', (frame) => frame.url() !== url && incidents.push(`navigated ${frame.url()}`));
    context.on('page', () => incidents.push('a window'));
    if (javaScript) {
      await page.addInitScript(() => {
        const { document } = globalThis as unknown as { document: EventTarget };
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`policy ${(event as unknown as { violatedDirective: string }).violatedDirective}`);
        });
      });
    }
    await page.goto(url);
    return { page, incidents, close: () => context.close() };
  }

  test('the watch sees what it must never see here', async () => {
    const bad = '<img src="http://xss.invalid/x.png"><script>alert(1)</script><script>nothing()</script>';
    const { page, incidents, close } = await open(`<!doctype html>${bad}`);
    await page.waitForTimeout(200);
    expect(incidents.join('\n')).toMatch(/request http:\/\/xss\.invalid/);
    expect(incidents.join('\n')).toMatch(/dialog 1/);
    expect(incidents.join('\n')).toMatch(/error nothing is not defined/);
    await close();
    const policed = await open(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><img src="http://xss.invalid/x.png">`,
    );
    await policed.page.waitForTimeout(100);
    expect(policed.incidents.join('\n')).toMatch(/policy img-src/);
    await policed.close();
  });

  const reports: Record<string, () => Report> = { nightly: nightlyReport, matrix: matrixReport };
  const looks = (['light', 'dark'] as const).flatMap((scheme) =>
    (['desktop', 'phone'] as const).flatMap((screen) =>
      Object.keys(reports).map((name) => [name, screen, scheme] as const),
    ),
  );

  test.each(looks)('%s on a %s in %s: complete, quiet, and within its width', async (name, screen, scheme) => {
    const { page, incidents, close } = await open(renderHtml(reports[name]!()), screen, scheme);
    for (const id of ['result', 'groups', 'repeats', 'time', 'distributions', 'tokens', 'tools', 'slowest', 'data']) {
      expect(await page.locator(`h2#${id}`).isVisible(), id).toBe(true);
    }
    expect(await page.locator('h2#matrix').count()).toBe(name === 'matrix' ? 1 : 0);
    expect(await page.locator('svg[role=img]').count()).toBeGreaterThan(40);
    expect(await page.locator('article.metric svg').count()).toBe(18);
    expect(await page.locator('table').count()).toBeGreaterThan(7);
    // A chart without a size is not there, whatever the markup says.
    for (const box of await Promise.all((await page.locator('svg.strip').all()).map((chart) => chart.boundingBox()))) {
      expect(box!.width).toBeGreaterThan(80);
      expect(box!.height).toBeGreaterThan(10);
    }
    expect(await overflow(page)).toBe(0);
    expect(await lightness(page, 'background-color')).toBeLessThan(scheme === 'dark' ? 60 : 256);
    expect(await lightness(page, 'background-color')).toBeGreaterThan(scheme === 'dark' ? 0 : 200);
    expect(await lightness(page, 'color')).toBeGreaterThan(scheme === 'dark' ? 200 : -1);
    expect(incidents).toEqual([]);
    await close();
  });

  test.each([
    ['bare', bareReport],
    ['empty', emptyReport],
  ])('the %s report is a page too', async (_name, report) => {
    const { page, incidents, close } = await open(renderHtml(report()), 'phone', 'dark');
    expect(await page.locator('h2#data').isVisible()).toBe(true);
    expect(await overflow(page)).toBe(0);
    expect(incidents).toEqual([]);
    await close();
  });

  test('tools are sorted by click and by keyboard, and what is missing stays last', async () => {
    const { page, incidents, close } = await open(renderHtml(nightlyReport()));
    const table = page.locator('section:has(> h2#tools) table');
    const column = (index: number) => table.locator(`tbody tr > :nth-child(${index})`).allInnerTexts();
    const header = (name: string) => table.locator('th', { has: page.getByRole('button', { name, exact: true }) });
    const names = await column(1);
    expect(names[0]).toBe('bash');

    await table.getByRole('button', { name: 'error rate' }).click();
    expect((await column(1))[0]).toBe('run_tests');
    expect(await header('error rate').getAttribute('aria-sort')).toBe('descending');

    await table.getByRole('button', { name: 'p95' }).focus();
    await page.keyboard.press('Enter');
    expect((await column(1))[0]).toBe('run_tests');
    expect((await column(1)).at(-1)).toBe('todo_write');
    await page.keyboard.press('Space');
    expect((await column(1))[0]).toBe('read_file');
    expect((await column(1)).at(-1)).toBe('todo_write');
    expect(await header('p95').getAttribute('aria-sort')).toBe('ascending');
    expect(await header('error rate').getAttribute('aria-sort')).toBe('none');

    await table.getByRole('button', { name: 'tool', exact: true }).click();
    expect(await column(1)).toEqual([...names].sort());
    expect(incidents).toEqual([]);
    await close();
  });

  test('the page is complete without script', async () => {
    const content = renderHtml(nightlyReport());
    const withScript = await open(content);
    const without = await open(content, 'desktop', 'light', false);
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen counts, not what is there
    const visible = (page: Page) => page.locator('main').innerText();
    expect(await visible(without.page)).toBe(await visible(withScript.page));
    expect(await without.page.locator('button').count()).toBe(0);
    await withScript.close();
    await without.close();
  });

  test('it prints on white, with nothing cut off', async () => {
    const { page, incidents, close } = await open(renderHtml(matrixReport()), 'desktop', 'dark');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.setViewportSize({ width: 700, height: 990 });
    expect(await lightness(page, 'background-color')).toBe(255);
    expect(await overflow(page)).toBe(0);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
    expect(incidents).toEqual([]);
    await close();
  });

  test.each([
    ['desktop', 'light'],
    ['phone', 'dark'],
  ] as const)('with every name a payload, nothing happens on a %s in %s', async (screen, scheme) => {
    expect(PAYLOADS.length).toBe(60);
    const { page, incidents, close } = await open(renderHtml(hostile(), { title: PAYLOADS[7]! }), screen, scheme);
    // Wake whatever waits for a mouse or for focus.
    for (const row of await page.locator('#tools ~ .scroll tbody tr').all()) await row.hover();
    for (let i = 0; i < 40; i++) await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'calls' }).first().click();
    const shown = await page.locator('section:has(> h2#tools) tbody th').allTextContents();
    expect(shown.sort()).toEqual(PAYLOADS.map(inertText).sort());
    expect(await page.locator('script').count()).toBe(1);
    expect(
      await page.locator('img, iframe, object, embed, form, input, video, audio, base, xss, marquee').count(),
    ).toBe(0);
    expect(await overflow(page)).toBe(0);
    await page.waitForTimeout(200);
    expect(incidents).toEqual([]);
    await close();
  });
});

/** How far the page can be scrolled sideways. */
function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** 0 is black and 255 is white. */
function lightness(page: Page, property: string): Promise<number> {
  return page.evaluate(
    `Math.round(getComputedStyle(document.body).getPropertyValue('${property}').match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3)`,
  );
}

/** Every payload as a tool, model, task, error, grader, skill, status, path and message. */
function hostile(): Report {
  const report = matrixReport();
  const { total } = report;
  const [tool] = total.tools;
  const group = report.groups[1]!;
  total.tools = PAYLOADS.map((name) => ({ ...tool!, name }));
  total.errors = PAYLOADS.map((type) => ({ type, count: 1 }));
  total.graders = PAYLOADS.map((name) => ({ name, passed: 1, failed: 1 }));
  total.skills = PAYLOADS.map((name) => ({ name, activations: 1, trajectories: 1 }));
  total.statuses = PAYLOADS.map((status) => ({ status, count: 1 }));
  total.tokensByModel = Object.fromEntries(
    PAYLOADS.map((model) => [model, { inputTokens: 5, outputTokens: 1, callCount: 1 }]),
  );
  total.slowest = PAYLOADS.map((text) => ({
    path: text,
    line: 1,
    index: null,
    id: text,
    task: text,
    model: text,
    value: 1,
  }));
  for (const name of PAYLOADS) total.distributions[`scores.${name}`] = total.distributions['scores.score']!;
  report.groups = PAYLOADS.map((task, i) => ({ ...group, key: { task, model: PAYLOADS[(i * 7) % 9]! } }));
  report.input.skipped = Object.fromEntries(PAYLOADS.map((type) => [type, 1]));
  report.input.problems = PAYLOADS.map((text) => ({ path: text, line: 1, message: text }));
  return report;
}
