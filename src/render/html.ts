import type { Report } from '../model/report.ts';
import { distributions } from './html/distributions.ts';
import { groups } from './html/groups.ts';
import { headline, repeats } from './html/headline.ts';
import { lists } from './html/lists.ts';
import { html, Markup, NOTHING } from './html/markup.ts';
import { matrix } from './html/matrix.ts';
import { extremes } from './html/outliers.ts';
import { contentSecurityPolicy } from './html/policy.ts';
import { quality, qualityLine } from './html/quality.ts';
import { SCRIPT } from './html/script.ts';
import { STYLE } from './html/style.ts';
import { tools } from './html/tools.ts';
import { time, tokens } from './html/usage.ts';

export interface HtmlOptions {
  title?: string;
  /** Shown as it is. The caller's clock, if any: the same report gives the same page. */
  generatedAt?: string;
}

/** Two short sections share a row where there is room. */
function pair(left: Markup, right: Markup): Markup {
  return left === NOTHING && right === NOTHING ? NOTHING : html`<div class="columns even">${left}${right}</div>`;
}

/** One file that opens from disk, loads nothing, and is complete without its script. */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  const { title = 'Trajectory report', generatedAt } = options;
  const { total } = report;
  const crossed = matrix(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(STYLE, SCRIPT)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header class="top"><h1>${title}</h1>${generatedAt !== undefined && html`<p class="note">${generatedAt}</p>`}${qualityLine(report)}</header>
<main>
${headline(report)}
${crossed}
${groups(report)}
${pair(repeats(total), time(total))}
${distributions(total)}
${tokens(total)}
${tools(total)}
${lists(total, crossed === NOTHING)}
${extremes(total)}
${quality(report)}
</main>
<footer>trajstats ${report.version}. Graded = passed + failed; strict = graded + error + timeout. Intervals are at 95 %.</footer>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}
