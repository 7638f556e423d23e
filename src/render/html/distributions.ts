import type { Group } from '../../model/report.ts';
import { whole } from '../units.ts';
import { type MeasuredMetric, measuredMetrics, P99_NEEDS } from '../view.ts';
import { quantileChart } from './charts.ts';
import { html, type Markup, NOTHING, nameMarkup } from './markup.ts';

const KINDS: { title: string; has: (name: string) => boolean }[] = [
  { title: 'Time', has: (name) => name.endsWith('Ms') },
  { title: 'Tokens', has: (name) => name.endsWith('Tokens') || name === 'cacheHitRate' },
  { title: 'Activity', has: (name) => name.endsWith('Count') },
  { title: 'Cost and scores', has: (name) => name === 'costUsd' || name.startsWith('scores.') },
];

/** Small multiples: every metric drawn the same way, each on its own scale. */
export function distributions(group: Group): Markup {
  const metrics = measuredMetrics(group);
  if (metrics.length === 0) return NOTHING;
  const rest = { title: 'Other', has: (name: string) => !KINDS.some(({ has }) => has(name)) };
  return html`<section aria-labelledby="distributions"><h2 id="distributions">Per trajectory</h2>
<p class="lead">Each line runs from the smallest to the largest value; the band from the median to the 90th percentile, with marks at the 95th and 99th. The dot is the mean.</p>
${[...KINDS, rest].map(({ title, has }) => {
  const members = metrics.filter(({ name }) => has(name));
  return members.length > 0 && html`<h3>${title}</h3><div class="cards">${members.map(card)}</div>`;
})}</section>`;
}

function card(metric: MeasuredMetric): Markup {
  const { label, format, distribution } = metric;
  const { p90, p95, p99, max, mean, missing, count, exact } = distribution;
  const figures: [string, number | null][] = [
    ['mean', mean],
    ['p90', p90],
    ['p95', p95],
    [count < P99_NEEDS ? 'p99*' : 'p99', p99],
    ['max', max],
  ];
  return html`<article class="card metric"><header><h4>${nameMarkup(label)}</h4><p><span>median</span> <b>${format(distribution.p50!)}</b></p></header>
${quantileChart(metric)}
<dl>${figures.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${format(value)}</dd></div>`)}</dl>
<p class="note">${[
    `${whole(count)} values`,
    missing > 0 && `${whole(missing)} missing`,
    !exact && 'quantiles within 0.5 %',
    count < P99_NEEDS && '* little more than the maximum',
  ]
    .filter(Boolean)
    .join(' · ')}</p></article>`;
}
