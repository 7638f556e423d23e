import type { Group } from '../../model/report.ts';
import { outliers, place } from '../view.ts';
import { dataTable } from './data-table.ts';
import { html, type Markup, NOTHING, nameMarkup } from './markup.ts';

/** The trajectories worth opening, with the place to open. */
export function extremes(group: Group): Markup {
  const lists = outliers(group);
  if (lists.length === 0) return NOTHING;
  return html`<div class="columns wide">${lists.map(({ title, format, rows }) => {
    const id = title.toLowerCase();
    return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${dataTable({
  caption: title,
  items: rows,
  sortable: false,
  columns: [
    { title: 'where', cell: (row) => html`<code>${nameMarkup(place(row))}</code>${subtitle(row.task, row.model)}` },
    {
      title: title === 'Slowest' ? 'wall time' : 'cost',
      value: ({ value }) => value,
      cell: ({ value }) => format(value),
    },
  ],
})}</section>`;
  })}</div>`;
}

function subtitle(task: string | null, model: string | null): Markup {
  const parts = [task, model].filter((part) => part !== null).map(nameMarkup);
  if (parts.length === 0) return NOTHING;
  return html`<span class="note">${parts[0]!}${parts[1] ? html` · ${parts[1]}` : ''}</span>`;
}
