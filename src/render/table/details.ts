import type { Group, RowRef, ToolSummary } from '../../model/report.ts';
import { compact, duration, percent, plural, whole } from '../units.ts';
import { measuredMetrics, outliers, P99_NEEDS, place, tokensByModel } from '../view.ts';
import { quantileBar } from './draw.ts';
import { type Column, grid } from './grid.ts';
import { type Block, block } from './layout.ts';
import { type Line, line, nameText, type Style, span } from './line.ts';

/** The parts of the total, one block each; a block of nothing is not drawn. */

/** A terminal is for the top of a list; the rest is in the other formats, and is counted here. */
const MOST = 15;

type Figure<T> = (item: T) => string;

function numbers<T>(
  title: string,
  items: T[],
  figure: Figure<T>,
  drop?: number,
  style?: (item: T) => Style | undefined,
): Column {
  return { title, align: 'right', drop, cells: items.map((item) => line(span(figure(item), style?.(item)))) };
}

function names<T>(title: string, items: T[], name: Figure<T>): Column {
  return { title, cut: 'middle', cells: items.map((item) => line(nameText(name(item)))) };
}

function rest(count: number): Line[] {
  return count > MOST ? [line(span(`  … and ${whole(count - MOST)} more`, 'dim'))] : [];
}

export function distributions(group: Group, width: number): Block {
  const metrics = measuredMetrics(group);
  const figures = (title: string, key: 'mean' | 'sd' | 'p50' | 'p90' | 'p95' | 'max', drop?: number): Column =>
    numbers(
      title,
      metrics,
      ({ distribution, format }) => (distribution[key] === null ? '' : format(distribution[key])),
      drop,
    );
  const anySmall = metrics.some(({ distribution }) => distribution.count < P99_NEEDS);
  const anySketch = metrics.some(({ distribution }) => !distribution.exact);
  const anyMissing = metrics.some(({ distribution }) => distribution.missing > 0);
  const columns: Column[] = [
    names('', metrics, ({ label }) => label),
    numbers('n', metrics, ({ distribution }) => `${distribution.exact ? '' : '~'}${whole(distribution.count)}`),
    numbers(
      'missing',
      metrics,
      ({ distribution }) => (anyMissing ? whole(distribution.missing) : ''),
      3,
      () => 'dim',
    ),
    figures('mean', 'mean', 2),
    figures('sd', 'sd', 8),
    figures('p50', 'p50'),
    figures('p90', 'p90'),
    figures('p95', 'p95', 5),
    numbers(
      'p99',
      metrics,
      ({ distribution: { p99, count }, format }) =>
        p99 === null ? '' : anySmall ? `${format(p99)}${count < P99_NEEDS ? '*' : ' '}` : format(p99),
      6,
    ),
    figures('max', 'max'),
    {
      title: 'min ╶─┃ p50 ━ p90 ─╴ max',
      drop: 7,
      cells: metrics.map(({ distribution }) => quantileBar(distribution, 24)),
    },
  ];
  const lines = grid(columns, width);
  const shows = (title: string) => lines[0]?.some(({ text }) => text === title);
  if (anySmall && shows('p99')) {
    lines.push(line(span(`  * of fewer than ${P99_NEEDS} values: little more than the maximum`, 'dim')));
  }
  if (anySketch) lines.push(line(span('  ~ quantiles from a sketch, within 0.5 %', 'dim')));
  return block('Per trajectory', '', lines);
}

export function tools({ tools: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  const calls = all.reduce((sum, tool) => sum + tool.calls, 0);
  const latency = (title: string, key: 'p50' | 'p95' | 'max' | 'sum', drop?: number) =>
    numbers(title, shown, ({ latencyMs }) => (latencyMs[key] === null ? '' : duration(latencyMs[key])), drop);
  return block('Tools', `${plural(all.length, 'tool')}, ${plural(calls, 'call')}`, [
    ...grid(
      [
        names('', shown, ({ name }) => name),
        numbers('calls', shown, (tool) => whole(tool.calls)),
        numbers('errors', shown, (tool) => (tool.errors > 0 ? whole(tool.errors) : ''), 5, errorStyle),
        numbers(
          'error rate',
          shown,
          ({ errorRate }) => (errorRate === null ? '' : percent(errorRate)),
          undefined,
          errorStyle,
        ),
        numbers(
          'unanswered',
          shown,
          ({ unanswered }) => (unanswered > 0 ? whole(unanswered) : ''),
          4,
          () => 'warn',
        ),
        latency('p50', 'p50'),
        latency('p95', 'p95'),
        latency('max', 'max', 2),
        latency('total', 'sum', 1),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

/** Every tool errs now and then; one call in ten is worth a look. */
function errorStyle({ errorRate }: ToolSummary): Style | undefined {
  return errorRate === null || errorRate === 0 ? 'dim' : errorRate >= 0.1 ? 'bad' : 'warn';
}

export function models(group: Group, width: number): Block {
  const all = tokensByModel(group);
  const shown = all.slice(0, MOST);
  return block('Tokens by model', '', [
    ...grid(
      [
        names('', shown, ({ model }) => model),
        numbers('input', shown, ({ inputTokens }) => compact(inputTokens)),
        numbers('output', shown, ({ outputTokens }) => compact(outputTokens)),
        numbers('calls', shown, ({ callCount }) => whole(callCount)),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

export function skills({ skills: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  return block('Skills', '', [
    ...grid(
      [
        names('', shown, ({ name }) => name),
        numbers('activations', shown, ({ activations }) => whole(activations)),
        numbers('trajectories', shown, ({ trajectories }) => whole(trajectories)),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

export function errors({ errors: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  return block('Errors', '', [
    ...grid(
      [
        names('', shown, ({ type }) => type),
        numbers(
          '',
          shown,
          ({ count }) => whole(count),
          undefined,
          () => 'bad',
        ),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

export function graders({ graders: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  return block('Graders', '', [
    ...grid(
      [
        names('', shown, ({ name }) => name),
        numbers('pass', shown, ({ passed, failed }) =>
          passed + failed > 0 ? percent(passed / (passed + failed)) : '',
        ),
        numbers(
          'passed',
          shown,
          ({ passed }) => whole(passed),
          undefined,
          () => 'good',
        ),
        numbers(
          'failed',
          shown,
          ({ failed }) => whole(failed),
          undefined,
          ({ failed }) => (failed > 0 ? 'bad' : 'dim'),
        ),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

export function statuses({ statuses: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  return block('Statuses', '', [
    ...grid([names('', shown, ({ status }) => status), numbers('', shown, ({ count }) => whole(count))], width),
    ...rest(all.length),
  ]);
}

export function flaky({ flaky: all }: Group, width: number): Block {
  const shown = all.slice(0, MOST);
  return block('Flaky tasks', 'both passed and failed', [
    ...grid(
      [
        names('', shown, ({ task }) => task),
        numbers(
          'passed',
          shown,
          ({ passed }) => whole(passed),
          undefined,
          () => 'good',
        ),
        numbers(
          'failed',
          shown,
          ({ failed }) => whole(failed),
          undefined,
          () => 'bad',
        ),
      ],
      width,
    ),
    ...rest(all.length),
  ]);
}

export function extremes(group: Group, width: number): Block[] {
  return outliers(group).map(({ title, format, rows }) =>
    block(
      title,
      '',
      grid(
        [
          numbers('', rows, ({ value }) => format(value)),
          // The place is what one copies: it stays whole if anything can make room for it.
          { ...names('', rows, place), comfortable: 60 },
          { ...names('', rows, (row: RowRef) => row.task ?? row.id ?? '-'), drop: 1 },
          { ...names('', rows, ({ model }) => model ?? '-'), drop: 2 },
        ],
        width,
      ),
    ),
  );
}
