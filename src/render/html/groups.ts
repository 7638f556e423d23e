import type { Group, Report } from '../../model/report.ts';
import { compact, dollars, duration, percent, plural, whole } from '../units.ts';
import { groupName, keyText, measured } from '../view.ts';
import { rateStrip, shareAxisHead } from './charts.ts';
import { type Column, dataTable } from './data-table.ts';
import { html, type Markup, NOTHING, nameLabel, nameMarkup } from './markup.ts';

/** More rows than this and a browser is slow; the rest is in the CSV and JSON. */
const MOST = 2000;

/** The groups and their error bars are one table, so that a row is read across. */
export function groups({ by, groups: all, total }: Report): Markup {
  if (by.length === 0 || all.length === 0) return NOTHING;
  const shown = all.slice(0, MOST);
  const number = (
    title: string,
    value: (group: Group) => number | null | undefined,
    format: (value: number) => string,
  ): Column<Group> => ({
    title,
    value: (group) => value(group) ?? null,
    cell: (group) => {
      const found = value(group);
      return found == null ? '' : format(found);
    },
  });
  return html`<section aria-labelledby="groups"><h2 id="groups">By ${by.join(' and ')}</h2>
<p class="lead">Pass rate with its 95 % interval${total.passRate ? html`; the dashed line is all trajectories, ${percent(total.passRate.value)}` : ''}.</p>
${dataTable({
  caption: `Groups by ${by.join(' and ')}`,
  items: shown,
  columns: [
    ...by.map((field): Column<Group> => ({ title: field, cell: (group) => nameMarkup(keyText(group, field)) })),
    number('n', ({ trajectories }) => trajectories, whole),
    {
      title: 'pass rate',
      value: ({ passRate }) => passRate?.value ?? null,
      cell: ({ passRate }) => passRate && html`<b>${percent(passRate.value)}</b>`,
    },
    {
      title: shareAxisHead('95 % interval'),
      chart: true,
      cell: (group) => group.passRate && rateStrip(nameLabel(groupName(group, by)), group.passRate, total.passRate),
    },
    number('strict', ({ strictPassRate }) => strictPassRate?.value, percent),
    number('tokens p50', (group) => measured(group, 'totalTokens')?.p50, compact),
    number('wall p50', (group) => measured(group, 'wallTimeMs')?.p50, duration),
    number('cost', (group) => measured(group, 'costUsd')?.sum, dollars),
    number('per pass', ({ costPerPass }) => costPerPass, dollars),
  ],
})}${all.length > MOST && html`<p class="note">The first ${whole(MOST)} of ${plural(all.length, 'group')}.</p>`}</section>`;
}
