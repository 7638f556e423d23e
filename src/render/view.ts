import type { Distribution, Group, MetricName, Rate, Report, RowRef } from '../model/report.ts';
import { METRIC_NAMES } from '../model/report.ts';
import { OUTCOMES, type Outcome } from '../model/row.ts';
import { compact, decimal, dollars, duration, percent } from './units.ts';

/** What the renderers share: how a metric is called and measured, and the few figures derived from a group. */

export interface Metric {
  name: string;
  label: string;
  format: (value: number) => string;
}

export interface MeasuredMetric extends Metric {
  distribution: Distribution;
}

const METRICS: Record<MetricName, Omit<Metric, 'name'>> = {
  inputTokens: { label: 'input tokens', format: compact },
  outputTokens: { label: 'output tokens', format: compact },
  totalTokens: { label: 'total tokens', format: compact },
  cacheReadTokens: { label: 'cache read tokens', format: compact },
  cacheWriteTokens: { label: 'cache write tokens', format: compact },
  cacheHitRate: { label: 'cache hit rate', format: percent },
  callCount: { label: 'model calls', format: compact },
  toolCallCount: { label: 'tool calls', format: compact },
  toolErrorCount: { label: 'tool errors', format: compact },
  skillActivationCount: { label: 'skill activations', format: compact },
  turnCount: { label: 'turns', format: compact },
  wallTimeMs: { label: 'wall time', format: duration },
  llmMs: { label: 'model time', format: duration },
  toolMs: { label: 'tool time', format: duration },
  otherMs: { label: 'other time', format: duration },
  errorCount: { label: 'errors', format: compact },
  costUsd: { label: 'cost', format: dollars },
};

const SCORE = 'scores.';

/** The metrics that the log has, in the order of the contract and then the scores by name. */
export function measuredMetrics(group: Group): MeasuredMetric[] {
  return distributionEntries(group)
    .filter(([, distribution]) => distribution.count > 0)
    .map(([name, distribution]) => ({ ...metric(name), distribution }));
}

/** Every distribution of a group in a fixed order, whatever order its keys were set in. */
export function distributionEntries(group: Group): [string, Distribution][] {
  const rank = (name: string) => {
    const index = METRIC_NAMES.indexOf(name as MetricName);
    return index < 0 ? METRIC_NAMES.length : index;
  };
  return Object.entries(group.distributions).sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b));
}

function metric(name: string): Metric {
  if (Object.hasOwn(METRICS, name)) return { name, ...METRICS[name as MetricName] };
  const score = name.startsWith(SCORE) ? name.slice(SCORE.length) : name;
  const label = score === 'score' ? score : `score ${score}`;
  return { name, label, format: (value) => (Math.abs(value) < 100 ? decimal(value, 3) : compact(value)) };
}

/** By code unit: the same everywhere, unlike localeCompare. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A distribution that has values, or null: `measured(group, 'costUsd')?.sum`. */
export function measured(group: Group, name: MetricName): Distribution | null {
  const distribution = Object.hasOwn(group.distributions, name) ? group.distributions[name] : undefined;
  return distribution && distribution.count > 0 ? distribution : null;
}

/** The outcomes that occur. */
export function outcomeCounts(group: Group): { outcome: Outcome; count: number }[] {
  return OUTCOMES.map((outcome) => ({ outcome, count: group.outcomes[outcome] })).filter(({ count }) => count > 0);
}

export interface Share {
  label: string;
  value: number;
  share: number;
  /** Of how many trajectories. */
  count: number;
}

/** Where the wall time went: empty unless the log says. */
export function timeSplit(group: Group): Share[] {
  const part = (label: string, name: MetricName) => {
    const found = measured(group, name);
    return { label, value: Math.max(0, found?.sum ?? 0), count: found?.count ?? 0 };
  };
  const parts = [part('model', 'llmMs'), part('tools', 'toolMs'), part('other', 'otherMs')];
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return total > 0 && Number.isFinite(total) ? parts.map((part) => ({ ...part, share: part.value / total })) : [];
}

/** Shares of different trajectories cannot be compared without knowing it: null when all parts have the same. */
export function unevenSplit(split: Share[]): string | null {
  if (new Set(split.map(({ count }) => count)).size < 2) return null;
  return `known for ${split.map(({ label, count }) => `${label} ${count}`).join(', ')} trajectories`;
}

/** The share of all input tokens that came from the cache: weighted by tokens, unlike the mean over trajectories. */
export function cacheShare(group: Group): number | null {
  if (!measured(group, 'cacheHitRate')) return null;
  const read = measured(group, 'cacheReadTokens')?.sum;
  const input = measured(group, 'inputTokens')?.sum;
  return read != null && input && Number.isFinite(input) ? read / input : null;
}

export interface ModelTokens {
  model: string;
  inputTokens: number;
  outputTokens: number;
  callCount: number;
}

/** Most tokens first. */
export function tokensByModel(group: Group): ModelTokens[] {
  const total = (usage: ModelTokens) => usage.inputTokens + usage.outputTokens;
  return Object.entries(group.tokensByModel)
    .map(([model, usage]) => ({ model, ...usage }))
    .sort((a, b) => total(b) - total(a) || compareText(a.model, b.model));
}

/** How many passed, from a rate: the rate is the number the intervals belong to. */
export function passedOf(rate: Rate): number {
  return Math.round(rate.value * rate.n);
}

/** `clustered-t` is exact; how many tasks stand behind the number is what a reader asks. */
export function rateMethod(rate: Rate): string {
  if (rate.method === 'clustered-t') return `clustered by ${rate.clusters} tasks`;
  return rate.method === 'wilson' ? 'Wilson interval' : rate.method;
}

/** As an editor or a shell takes it: `path:line`, or `path[index]` in a JSON document. */
export function place(source: { path: string; line: number | null; index?: number | null }): string {
  const line = source.line === null ? '' : `:${source.line}`;
  const index = source.index == null ? '' : `[${source.index}]`;
  return `${source.path}${line}${index}`;
}

/** What a value that the log does not carry is called, apart from the empty string. */
export const NONE = '(none)';

/** One line for a group: `gpt-5 · fix-login`. */
export function groupName(group: Group, by: string[]): string {
  return by.map((field) => keyText(group, field)).join(' · ');
}

export function keyText(group: Group, field: string): string {
  return (Object.hasOwn(group.key, field) ? group.key[field] : null) ?? NONE;
}

/** The parts of the report whose names were capped, over all groups. */
export function cappedParts(report: Report): string[] {
  const parts = [report.total, ...report.groups].flatMap((group) => group.capped ?? []);
  return [...new Set(parts)].sort(compareText);
}

/** Fewer than this and the 99th percentile is little more than the maximum. */
export const P99_NEEDS = 100;

export function skippedRecords(report: Report): { type: string; count: number }[] {
  return Object.entries(report.input.skipped)
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || compareText(a.type, b.type));
}

export function isEmpty(report: Report): boolean {
  return report.total.trajectories === 0;
}

/** The trajectories worth a look, in the order of the report. */
export function outliers(group: Group): { title: string; format: (value: number) => string; rows: RowRef[] }[] {
  return [
    { title: 'Slowest', format: duration, rows: group.slowest },
    { title: 'Costliest', format: dollars, rows: group.costliest },
  ].filter(({ rows }) => rows.length > 0);
}
