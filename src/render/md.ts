import type { Group, Rate, Report } from '../model/report.ts';
import { markdownCode } from './escape.ts';
import { boundedName } from './name.ts';
import { bytes, compact, dollars, duration, percent, plural, whole } from './units.ts';
import {
  cacheShare,
  cappedParts,
  keyText,
  measured,
  measuredMetrics,
  outcomeCounts,
  outliers,
  P99_NEEDS,
  passedOf,
  place,
  rateMethod,
  skippedRecords,
  timeSplit,
  tokensByModel,
  unevenSplit,
} from './view.ts';
import { shorten } from './width.ts';

/** A pull-request comment: the answer in the first line, a table to compare, the rest folded. */
export function renderMarkdown(report: Report): string {
  const { total } = report;
  const sections = [
    `### ${title(total)}`,
    summary(total),
    quality(report),
    groupTable(report),
    toolTable(total, 5),
    details('Distributions', distributionTable(total)),
    total.tools.length > 5 ? details('All tools', toolTable(total, MOST_ROWS)) : '',
    details('Tokens by model', modelTable(total)),
    details(
      'Graders, errors, statuses',
      [graderTable(total), errorTable(total), statusTable(total)].filter(Boolean).join('\n\n'),
    ),
    details('Skills', skillTable(total)),
    details('Flaky tasks', flakyTable(total)),
    details('Slowest and costliest', outlierTable(total)),
    details('Problems in the input', problemTable(report)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** GitHub refuses a comment beyond 65,536 characters. */
const MOST_ROWS = 40;
const LONGEST_NAME = 60;

function name(text: string): string {
  // Cut before escaping, so that no escape is cut in half.
  return markdownCode(shorten(boundedName(text, 4 * LONGEST_NAME), LONGEST_NAME, 'middle'));
}

/** `\$`, since GitHub takes a pair of dollar signs for mathematics. */
function money(value: number): string {
  return dollars(value).replace('$', '\\$');
}

function title({ passRate, trajectories }: Group): string {
  if (passRate === null) return plural(trajectories, 'trajectory', 'trajectories');
  return `${percent(passRate.value)} passed (95 %: ${percent(passRate.low)} to ${percent(passRate.high)})`;
}

function summary(group: Group): string {
  const { passRate, strictPassRate, costPerPass, passAtK, passHatK, judge } = group;
  const cost = measured(group, 'costUsd');
  const tokens = measured(group, 'totalTokens');
  const wall = measured(group, 'wallTimeMs');
  const cached = cacheShare(group);
  const split = timeSplit(group);
  const uneven = unevenSplit(split);
  const outcomes = outcomeCounts(group)
    .map(({ outcome, count }) => `${whole(count)} ${outcome}`)
    .join(', ');
  return list([
    passRate && `**Graded** ${ratio(passRate)}, ${rateMethod(passRate)}`,
    strictPassRate && `**Strict** ${percent(strictPassRate.value)}, ${ratio(strictPassRate)} with errors and timeouts`,
    outcomes !== '' && `**Outcomes** ${outcomes}`,
    repeats('pass@k', passAtK),
    repeats('pass^k', passHatK),
    cost &&
      `**Cost** ${money(cost.sum!)}${costPerPass === null ? '' : `, ${money(costPerPass)} per passed task`}${cost.missing > 0 ? `; ${plural(cost.missing, 'trajectory', 'trajectories')} without a price` : ''}`,
    tokens && `**Tokens** ${compact(tokens.sum!)}${cached === null ? '' : `, ${percent(cached)} of input from cache`}`,
    wall &&
      `**Wall time** median ${duration(wall.p50!)}, p95 ${duration(wall.p95!)}${split.length > 0 ? `; ${split.map(({ label, share }) => `${label} ${percent(share)}`).join(', ')}${uneven === null ? '' : ` (${uneven})`}` : ''}`,
    judge &&
      `**Judge** ${compact(judge.inputTokens)} tokens in, ${compact(judge.outputTokens)} out, ${duration(judge.latencyMs)}`,
  ]);
}

function ratio(rate: Rate): string {
  return `${whole(passedOf(rate))} of ${whole(rate.n)}`;
}

function repeats(label: string, values: Record<string, number>): string | null {
  const parts = Object.entries(values).map(([k, value]) => `${k}: ${percent(value)}`);
  // One trial per task: pass@1 is the pass rate, which stands above.
  return parts.length > 1 ? `**${label}** ${parts.join(', ')}` : null;
}

function quality(report: Report): string {
  const { trajectories, files, bytes: size, lines, good, bad, blank, duplicates, truncatedTails } = report.input;
  const capped = cappedParts(report);
  const parts = [
    `${plural(trajectories, 'trajectory', 'trajectories')} in ${plural(files, 'file')} (${bytes(size)})`,
    `${plural(lines, 'line')}: ${whole(good)} good, ${bad > 0 ? `**${whole(bad)} bad**` : '0 bad'}, ${whole(blank)} blank`,
    ...skippedRecords(report)
      .slice(0, 5)
      .map(({ type, count }) => `${whole(count)} ${name(type)} skipped`),
    duplicates > 0 ? `**${plural(duplicates, 'duplicate')}**` : '',
    truncatedTails > 0 ? plural(truncatedTails, 'truncated tail') : '',
    capped.length > 0 ? `too many different ${capped.map(name).join(', ')}: the rest is under ${name('(other)')}` : '',
  ];
  return `<sub>${parts.filter(Boolean).join(' · ')}</sub>`;
}

interface Column<T> {
  title: string;
  cell: (item: T) => string;
  text?: boolean;
}

function table<T>(items: T[], columns: Column<T>[], most = MOST_ROWS): string {
  if (items.length === 0) return '';
  // A column that says nothing is left out; the first one names the row.
  const shown = columns.filter(({ cell }, i) => i === 0 || items.some((item) => cell(item) !== ''));
  const lines = [
    shown.map(({ title }) => title),
    shown.map(({ text }) => (text ? '---' : '---:')),
    ...items.slice(0, most).map((item) => shown.map(({ cell }) => cell(item))),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  if (items.length > most) lines.push('', `… and ${whole(items.length - most)} more.`);
  return lines.join('\n');
}

function list(items: (string | null | false)[]): string {
  return items
    .filter(Boolean)
    .map((item) => `- ${item}`)
    .join('\n');
}

function details(title: string, content: string): string {
  return content === '' ? '' : `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

function figure(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '' : format(value);
}

function groupTable({ by, groups }: Report): string {
  if (by.length === 0) return '';
  return table(groups, [
    ...by.map(
      (field): Column<Group> => ({
        title: /^\w+$/.test(field) ? field : name(field),
        text: true,
        cell: (group) => name(keyText(group, field)),
      }),
    ),
    { title: 'n', cell: ({ trajectories }) => whole(trajectories) },
    { title: 'pass rate', cell: ({ passRate }) => figure(passRate?.value, (value) => `**${percent(value)}**`) },
    {
      title: '95 %',
      cell: ({ passRate }) => (passRate ? `${percent(passRate.low)} to ${percent(passRate.high)}` : ''),
    },
    { title: 'strict', cell: ({ strictPassRate }) => figure(strictPassRate?.value, percent) },
    { title: 'tokens p50', cell: (group) => figure(measured(group, 'totalTokens')?.p50, compact) },
    { title: 'wall p50', cell: (group) => figure(measured(group, 'wallTimeMs')?.p50, duration) },
    { title: 'cost', cell: (group) => figure(measured(group, 'costUsd')?.sum, money) },
    { title: 'per pass', cell: ({ costPerPass }) => figure(costPerPass, money) },
  ]);
}

function toolTable({ tools }: Group, most: number): string {
  return table(
    tools,
    [
      { title: 'tool', text: true, cell: (tool) => name(tool.name) },
      { title: 'calls', cell: ({ calls }) => whole(calls) },
      { title: 'error rate', cell: ({ errorRate }) => figure(errorRate, percent) },
      { title: 'unanswered', cell: ({ unanswered }) => (unanswered > 0 ? whole(unanswered) : '') },
      { title: 'p50', cell: ({ latencyMs }) => figure(latencyMs.p50, duration) },
      { title: 'p95', cell: ({ latencyMs }) => figure(latencyMs.p95, duration) },
      { title: 'max', cell: ({ latencyMs }) => figure(latencyMs.max, duration) },
      { title: 'total', cell: ({ latencyMs }) => figure(latencyMs.sum, duration) },
    ],
    most,
  );
}

function distributionTable(group: Group): string {
  const metrics = measuredMetrics(group);
  const column = (title: 'mean' | 'p50' | 'p90' | 'p95' | 'max'): Column<(typeof metrics)[number]> => ({
    title,
    cell: ({ distribution, format }) => figure(distribution[title], format).replace('$', '\\$'),
  });
  const small = metrics.some(({ distribution }) => distribution.count < P99_NEEDS);
  const rows = table(metrics, [
    // The labels of scores hold names from the log.
    {
      title: 'per trajectory',
      text: true,
      cell: ({ name: key, label }) => (key.startsWith('scores.') ? name(label) : label),
    },
    { title: 'n', cell: ({ distribution }) => whole(distribution.count) },
    { title: 'missing', cell: ({ distribution }) => (distribution.missing > 0 ? whole(distribution.missing) : '') },
    column('mean'),
    column('p50'),
    column('p90'),
    column('p95'),
    {
      title: 'p99',
      cell: ({ distribution: { p99, count }, format }) =>
        figure(p99, format).replace('$', '\\$') + (count < P99_NEEDS ? '\\*' : ''),
    },
    column('max'),
  ]);
  return rows !== '' && small ? `${rows}\n\n\\* of fewer than ${P99_NEEDS} values: little more than the maximum` : rows;
}

function modelTable(group: Group): string {
  return table(tokensByModel(group), [
    { title: 'model', text: true, cell: ({ model }) => name(model) },
    { title: 'input', cell: ({ inputTokens }) => compact(inputTokens) },
    { title: 'output', cell: ({ outputTokens }) => compact(outputTokens) },
    { title: 'calls', cell: ({ callCount }) => whole(callCount) },
  ]);
}

function graderTable({ graders }: Group): string {
  return table(graders, [
    { title: 'grader', text: true, cell: (grader) => name(grader.name) },
    {
      title: 'pass rate',
      cell: ({ passed, failed }) => (passed + failed > 0 ? percent(passed / (passed + failed)) : ''),
    },
    { title: 'passed', cell: ({ passed }) => whole(passed) },
    { title: 'failed', cell: ({ failed }) => whole(failed) },
  ]);
}

function errorTable({ errors }: Group): string {
  return table(errors, [
    { title: 'error', text: true, cell: ({ type }) => name(type) },
    { title: 'count', cell: ({ count }) => whole(count) },
  ]);
}

function statusTable({ statuses }: Group): string {
  return table(statuses, [
    { title: 'status', text: true, cell: ({ status }) => name(status) },
    { title: 'count', cell: ({ count }) => whole(count) },
  ]);
}

function skillTable({ skills }: Group): string {
  return table(skills, [
    { title: 'skill', text: true, cell: (skill) => name(skill.name) },
    { title: 'activations', cell: ({ activations }) => whole(activations) },
    { title: 'trajectories', cell: ({ trajectories }) => whole(trajectories) },
  ]);
}

function flakyTable({ flaky }: Group): string {
  return table(flaky, [
    { title: 'task', text: true, cell: ({ task }) => name(task) },
    { title: 'passed', cell: ({ passed }) => whole(passed) },
    { title: 'failed', cell: ({ failed }) => whole(failed) },
  ]);
}

function outlierTable(group: Group): string {
  return outliers(group)
    .map(({ title, format, rows }) =>
      table(rows, [
        { title: title.toLowerCase(), cell: ({ value }) => format(value).replace('$', '\\$') },
        { title: 'where', text: true, cell: (row) => name(place(row)) },
        { title: 'task', text: true, cell: ({ task }) => figureText(task) },
        { title: 'model', text: true, cell: ({ model }) => figureText(model) },
      ]),
    )
    .join('\n\n');
}

function figureText(text: string | null): string {
  return text === null ? '' : name(text);
}

function problemTable({ input }: Report): string {
  return table(input.problems, [
    { title: 'where', text: true, cell: (problem) => name(place(problem)) },
    { title: 'problem', text: true, cell: ({ message }) => name(message) },
  ]);
}
