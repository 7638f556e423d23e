import type { Report } from '../../model/report.ts';
import { bytes, plural, whole } from '../units.ts';
import { cappedParts, place, skippedRecords } from '../view.ts';
import { type Content, html, type Markup, NOTHING, nameMarkup } from './markup.ts';

/** Whether the numbers can be trusted: in one line under the title, and in full at the end. */

export function qualityLine(report: Report): Markup {
  const { trajectories, files, bad, duplicates, truncatedTails } = report.input;
  const doubts = [
    bad > 0 && html`<b class="bad">${plural(bad, 'bad line')}</b>`,
    duplicates > 0 && html`<b class="warn">${plural(duplicates, 'duplicate')}</b>`,
    truncatedTails > 0 && html`<b class="warn">${plural(truncatedTails, 'truncated tail')}</b>`,
    cappedParts(report).length > 0 && html`<b class="warn">names capped</b>`,
  ].filter((doubt) => doubt !== false);
  const said = doubts.length > 0 ? doubts.map((doubt) => html` · ${doubt}`) : html` · no bad lines`;
  return html`<p class="quality"><a href="#data">${plural(trajectories, 'trajectory', 'trajectories')} in ${plural(files, 'file')}</a>${said}</p>`;
}

export function quality(report: Report): Markup {
  const { input } = report;
  const skipped = skippedRecords(report);
  const capped = cappedParts(report);
  const figures: [string, Content][] = [
    ['files', whole(input.files)],
    ['size', bytes(input.bytes)],
    ['lines', whole(input.lines)],
    ['good', whole(input.good)],
    ['bad', input.bad > 0 ? html`<b class="bad">${whole(input.bad)}</b>` : '0'],
    ['blank', whole(input.blank)],
    ['trajectories', whole(input.trajectories)],
    ['duplicates', input.duplicates > 0 ? html`<b class="warn">${whole(input.duplicates)}</b>` : '0'],
    ['truncated tails', input.truncatedTails > 0 ? html`<b class="warn">${whole(input.truncatedTails)}</b>` : '0'],
  ];
  return html`<section aria-labelledby="data"><h2 id="data">Data</h2>
<p class="lead">Every line is accounted for: lines = good + bad + blank.</p>
<dl class="account">${figures.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${skipped.length > 0 && html`<p>Records that are not trajectories: ${skipped.slice(0, 50).map(({ type, count }, i) => html`${i > 0 && ', '}${whole(count)} ${nameMarkup(type)}`)}${skipped.length > 50 && ' and more'}.</p>`}
${capped.length > 0 && html`<p class="warn">Too many different names of ${capped.map((part, i) => html`${i > 0 && ', '}${nameMarkup(part)}`)}: the rest is counted under (other).</p>`}
${problems(report)}</section>`;
}

function problems({ input }: Report): Markup {
  if (input.problems.length === 0) return NOTHING;
  const more = input.bad - input.problems.length;
  return html`<h3>Problems</h3><ul class="problems">${input.problems.map(
    (problem) => html`<li><code>${nameMarkup(place(problem))}</code> ${nameMarkup(problem.message)}</li>`,
  )}</ul>${more > 0 && html`<p class="note">… and ${whole(more)} more bad lines.</p>`}`;
}
