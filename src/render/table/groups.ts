import type { Group, Report } from '../../model/report.ts';
import { compact, dollars, duration, percent, plural, whole } from '../units.ts';
import { keyText, measured } from '../view.ts';
import { intervalBar } from './draw.ts';
import { type Column, grid } from './grid.ts';
import { type Block, block } from './layout.ts';
import { type Line, line, nameText, type Style, span } from './line.ts';

/** One row per group, so that a difference and its uncertainty are seen together. */
export function groupTable({ by, groups }: Report, width: number): Block {
  if (by.length === 0 || groups.length === 0) return [];
  const numbers = (title: string, value: (group: Group) => string, drop?: number, style?: Style): Column => ({
    title,
    align: 'right',
    drop,
    cells: groups.map((group) => line(span(value(group), style))),
  });
  const failures = ({ outcomes }: Group) => outcomes.error + outcomes.timeout;
  return block(
    `By ${by.join(', ')}`,
    plural(groups.length, 'group'),
    grid(
      [
        ...by.map(
          (field): Column => ({
            title: field,
            cut: 'middle',
            cells: groups.map((group) => line(nameText(keyText(group, field)))),
          }),
        ),
        numbers('n', ({ trajectories }) => whole(trajectories)),
        numbers('pass', ({ passRate }) => (passRate ? percent(passRate.value) : ''), undefined, 'strong'),
        numbers('95 %', ({ passRate }) => (passRate ? `${percent(passRate.low)} to ${percent(passRate.high)}` : ''), 5),
        { title: '0 to 100 %', drop: 2, cells: groups.map((group) => interval(group, width)) },
        numbers('strict', ({ strictPassRate }) => (strictPassRate ? percent(strictPassRate.value) : ''), 7),
        numbers('broken', (group) => (failures(group) > 0 ? whole(failures(group)) : ''), 8, 'bad'),
        numbers('tokens p50', (group) => median(group, 'totalTokens', compact), 4),
        numbers('tools p50', (group) => median(group, 'toolCallCount', compact), 9),
        numbers('wall p50', (group) => median(group, 'wallTimeMs', duration), 3),
        numbers('wall p95', (group) => figure(measured(group, 'wallTimeMs')?.p95, duration), 10),
        numbers('cost', (group) => figure(measured(group, 'costUsd')?.sum, dollars), 1),
        numbers('per pass', ({ costPerPass }) => figure(costPerPass, dollars), 6),
      ],
      width,
    ),
  );
}

function interval({ passRate }: Group, width: number): Line {
  return passRate ? intervalBar(passRate, width >= 160 ? 32 : width >= 120 ? 24 : 13) : [];
}

function median(
  group: Group,
  name: 'totalTokens' | 'toolCallCount' | 'wallTimeMs',
  format: (value: number) => string,
): string {
  return figure(measured(group, name)?.p50, format);
}

function figure(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '' : format(value);
}
