import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import type { Distribution, Rate } from '../../model/report.ts';
import { duration, percent } from '../units.ts';
import type { MeasuredMetric } from '../view.ts';
import { type Axis, metricAxis, SHARE_AXIS } from './axis.ts';
import { type Content, html, type Markup } from './markup.ts';

/**
 * Charts in SVG. Strips are laid out in percent of their width and have no viewBox, so their text keeps its size from
 * a phone to a wide screen. Every chart says in words what it shows.
 */

function strip(title: string, height: number, content: Content): Markup {
  return html`<svg class="strip" role="img" width="100%" height="${height}"><title>${title}</title>${content}</svg>`;
}

function pc(value: number): string {
  return `${+value.toFixed(2)}%`;
}

function tickLabels(ticks: Axis['ticks'], y: number): Markup[] {
  return ticks.map(({ at, label }) => {
    // The outer labels stay inside the chart.
    const anchor = at < 4 ? 'start' : at > 96 ? 'end' : 'middle';
    return html`<text class="tick" x="${pc(at)}" y="${y}" text-anchor="${anchor}">${label}</text>`;
  });
}

function gridLines(ticks: Axis['ticks'], y1: number, y2: number): Markup[] {
  return ticks.map(({ at }) => html`<line class="grid" x1="${pc(at)}" x2="${pc(at)}" y1="${y1}" y2="${y2}"/>`);
}

export function rateWords(rate: Rate): string {
  return `${percent(rate.value)}, 95 % interval ${percent(rate.low)} to ${percent(rate.high)}`;
}

/** A rate and its interval, large, with an axis of its own. */
export function rateChart(label: string, rate: Rate): Markup {
  const { at, ticks } = SHARE_AXIS;
  return strip(`${label}: ${rateWords(rate)}`, 54, [
    gridLines(ticks, 4, 32),
    html`<line class="track" x1="0%" x2="100%" y1="18" y2="18"/>`,
    html`<rect class="band" x="${pc(at(rate.low))}" width="${pc(at(rate.high) - at(rate.low))}" y="11" height="14" rx="7"/>`,
    html`<circle class="dot" cx="${pc(at(rate.value))}" cy="18" r="7"/>`,
    tickLabels(ticks, 50),
  ]);
}

/** The same in a row of a table; the rate of everything is the dashed line to compare with. */
export function rateStrip(label: string, rate: Rate, overall: Rate | null): Markup {
  const { at, ticks } = SHARE_AXIS;
  const [low, high] = [pc(at(rate.low)), pc(at(rate.high))];
  return strip(`${label}: ${rateWords(rate)}`, 24, [
    gridLines(ticks, 0, 24),
    overall && html`<line class="overall" x1="${pc(at(overall.value))}" x2="${pc(at(overall.value))}" y1="0" y2="24"/>`,
    html`<line class="error-bar" x1="${low}" x2="${high}" y1="12" y2="12"/>`,
    html`<line class="error-bar" x1="${low}" x2="${low}" y1="8" y2="16"/>`,
    html`<line class="error-bar" x1="${high}" x2="${high}" y1="8" y2="16"/>`,
    html`<circle class="dot" cx="${pc(at(rate.value))}" cy="12" r="5"/>`,
  ]);
}

export function shareAxisHead(label: string): Markup {
  return html`${label}${strip('Scale from 0 to 100 %', 16, tickLabels(SHARE_AXIS.ticks, 13))}`;
}

export interface Part {
  label: string;
  value: number;
  words: string;
  className: string;
}

/** Parts of a whole, or of something larger that bars are compared by. */
export function stackedBar(title: string, parts: Part[], height = 22, whole?: number): Markup {
  const total = whole ?? parts.reduce((sum, { value }) => sum + value, 0);
  const at = scaleLinear([0, total || 1], [0, 100]);
  let start = 0;
  const bars = parts.map(({ value: given, label, words, className }) => {
    // A width below zero is an error in SVG.
    const value = Math.max(0, given);
    const x = at(start);
    start += value;
    return html`<rect class="${className}" x="${pc(x)}" width="${pc(at(value))}" y="0" height="${height}"><title>${label}: ${words}</title></rect>`;
  });
  const said = parts.map(({ label, words }) => `${label} ${words}`).join(', ');
  return strip(`${title}: ${said}`, height, bars);
}

export function legend(parts: Part[]): Markup {
  return html`<ul class="legend">${parts.map((part) => html`<li>${swatch(part)}${part.label} <b>${part.words}</b></li>`)}</ul>`;
}

export function swatch({ className }: Part): Markup {
  return html`<svg class="key" width="12" height="12" aria-hidden="true"><rect class="${className}" width="12" height="12" rx="3"/></svg>`;
}

type QuantileName = 'min' | 'p50' | 'p90' | 'p95' | 'p99' | 'max' | 'mean';

/** Minimum to maximum as a line, the median to the 90th percentile as a band, marks at p95 and p99. */
export function quantileChart(metric: MeasuredMetric): Markup {
  const { label, format, distribution } = metric;
  const { at, ticks } = metricAxis(metric);
  // A measured metric has values, and so has all of these.
  const { min, p50, p90, p95, p99, max, mean } = distribution as Record<QuantileName, number>;
  const words = (
    [
      ['minimum', min],
      ['median', p50],
      ['90th percentile', p90],
      ['95th', p95],
      ['99th', p99],
      ['maximum', max],
    ] as const
  ).map(([name, value]) => `${name} ${format(value)}`);
  const mark = (value: number, className: string, reach: number) =>
    html`<line class="${className}" x1="${pc(at(value))}" x2="${pc(at(value))}" y1="${15 - reach}" y2="${15 + reach}"/>`;
  return strip(`${label}: ${words.join(', ')}`, 46, [
    gridLines(ticks, 2, 28),
    html`<line class="whisker" x1="${pc(at(min))}" x2="${pc(at(max))}" y1="15" y2="15"/>`,
    html`<rect class="box" x="${pc(at(p50))}" width="${pc(at(p90) - at(p50))}" y="8" height="14" rx="2"/>`,
    mark(p95, 'quantile', 5),
    mark(p99, 'quantile', 5),
    mark(max, 'whisker', 3),
    mark(min, 'whisker', 3),
    mark(p50, 'median', 10),
    html`<circle class="mean" cx="${pc(at(mean))}" cy="15" r="2.5"/>`,
    tickLabels(ticks, 43),
  ]);
}

/** A share as a short bar beside its number. */
export function shareBar(label: string, share: number, className: string): Markup {
  return html`<svg class="share" role="img" width="56" height="8"><title>${label}: ${percent(share)}</title><rect class="track" width="56" height="8" rx="4"/><rect class="${className}" width="${+(56 * Math.min(1, share)).toFixed(1)}" height="8" rx="4"/></svg>`;
}

export interface LatencyScale {
  strip: (label: string, latency: Distribution) => Content;
  head: (label: string) => Markup;
}

const LATENCY_TICKS: [number, string][] = [
  [1, '1ms'],
  [10, '10ms'],
  [100, '100ms'],
  [1000, '1s'],
  [10_000, '10s'],
  [60_000, '1m'],
  [600_000, '10m'],
  [3_600_000, '1h'],
  [36_000_000, '10h'],
];

/** A logarithm needs an end: nothing that a log times is shorter. */
const SHORTEST_MS = 0.001;

/** Tools take from milliseconds to minutes, so their latencies share a logarithmic scale. */
export function latencyScale(latencies: Distribution[]): LatencyScale | null {
  const values = latencies
    .flatMap(({ p50, max }) => [p50, max])
    .filter((value): value is number => value !== null && value > 0);
  if (values.length === 0) return null;
  const powers = (value: number) => Math.log10(value);
  const low = 10 ** Math.floor(powers(Math.max(SHORTEST_MS, Math.min(...values))));
  const high = 10 ** Math.ceil(powers(Math.max(...values, low * 10)));
  const scale = scaleLog([low, high], [0, 100]).clamp(true);
  const at = (value: number) => scale(Math.max(low, value));
  const ticks: Axis['ticks'] = [];
  for (const [value, label] of LATENCY_TICKS) {
    const roomy = ticks.length === 0 || at(value) - ticks.at(-1)!.at > 22;
    if (value >= low && value <= high && roomy) ticks.push({ at: at(value), label });
  }
  return {
    head: (label) => html`${label}${strip('Logarithmic scale of time', 16, tickLabels(ticks, 13))}`,
    strip: (label, { p50, p95, max }) => {
      if (p50 === null || p95 === null || max === null) return null;
      return strip(
        `${label}: median ${duration(p50)}, 95th percentile ${duration(p95)}, maximum ${duration(max)}`,
        24,
        [
          gridLines(ticks, 0, 24),
          html`<line class="whisker" x1="${pc(at(p50))}" x2="${pc(at(max))}" y1="12" y2="12"/>`,
          html`<rect class="box" x="${pc(at(p50))}" width="${pc(at(p95) - at(p50))}" y="8" height="8" rx="2"/>`,
          html`<line class="median" x1="${pc(at(p50))}" x2="${pc(at(p50))}" y1="5" y2="19"/>`,
        ],
      );
    },
  };
}

const REPEATS = { width: 420, height: 200, left: 44, right: 64, top: 12, bottom: 34 };

/** pass@k rises and pass^k falls; the gap between them is what luck decides. */
export function repeatsChart(passAtK: Record<string, number>, passHatK: Record<string, number>): Markup {
  const { width, height, left, right, top, bottom } = REPEATS;
  const points = (values: Record<string, number>) =>
    Object.entries(values).map(([k, value]): [number, number] => [Number(k), value]);
  const [at, hat] = [points(passAtK), points(passHatK)];
  const ks = [...new Set([...at, ...hat].map(([k]) => k))].sort((a, b) => a - b);
  const x = scaleLinear([ks[0]!, ks.at(-1)!], [left, width - right]);
  const y = scaleLinear([0, 1], [height - bottom, top]);
  const path = line<[number, number]>(
    ([k]) => x(k),
    ([, value]) => y(value),
  ).digits(1);
  const series = (values: [number, number][], className: string, label: string) =>
    values.length > 0 && [
      html`<path class="series ${className}" d="${path(values)}"/>`,
      values.map(
        ([k, value]) =>
          html`<circle class="point ${className}" cx="${x(k)}" cy="${+y(value).toFixed(1)}" r="4"><title>${label.replace('k', String(k))}: ${percent(value)}</title></circle>`,
      ),
      html`<text class="series-label ${className}" x="${width - right + 12}" y="${+(y(values.at(-1)![1]) + 4).toFixed(1)}">${label}</text>`,
    ];
  const words = (values: [number, number][]) => values.map(([k, value]) => `${percent(value)} at ${k}`).join(', ');
  return html`<svg class="figure" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>Repeated trials: pass@k and pass^k</title><desc>pass@k: ${words(at)}. pass^k: ${words(hat)}.</desc>${[
    0, 0.5, 1,
  ].map(
    (share) =>
      html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(share)}" y2="${y(share)}"/><text class="tick" x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
  )}${ks.map((k) => html`<text class="tick" x="${x(k)}" y="${height - bottom + 18}" text-anchor="middle">${k === ks[0] ? `k = ${k}` : k}</text>`)}${series(hat, 'hat', 'pass^k')}${series(at, 'at', 'pass@k')}</svg>`;
}
