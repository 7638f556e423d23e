import { type Content, html, type Markup } from './markup.ts';

/** A table that reads well as it stands; the script makes it sortable by what `data-sort` says. */

export interface Column<T> {
  title: Content;
  cell: (item: T) => Content;
  /** What a number is sorted by; null goes last in both directions. A column without it is text. */
  value?: (item: T) => number | null;
  /** A drawing: wide, and not sorted by. */
  chart?: boolean;
}

export interface DataTable<T> {
  caption: string;
  columns: Column<T>[];
  items: T[];
  sortable?: boolean;
}

export function dataTable<T>({ caption, columns, items, sortable = items.length > 1 }: DataTable<T>): Markup {
  // A column that says nothing in any row is left out; the first one names the row.
  const cells = columns.map(({ cell }) => items.map(cell));
  const shown = columns
    .map((_, i) => i)
    .filter((i) => i === 0 || cells[i]!.some((content) => content !== '' && content !== null));
  const head = shown.map((i) => {
    const { title, value, chart } = columns[i]!;
    return html`<th scope="col"${classes(value !== undefined, chart)}>${title}</th>`;
  });
  const body = items.map((item, row) => {
    const rest = shown.map((i) => {
      const { value, chart } = columns[i]!;
      const content = cells[i]![row]!;
      if (i === 0)
        return html`<th scope="row"${classes(value !== undefined, chart)}${sortKey(value?.(item))}>${content}</th>`;
      return html`<td${classes(value !== undefined, chart)}${sortKey(value?.(item))}>${content}</td>`;
    });
    return html`<tr>${rest}</tr>\n`;
  });
  // Focusable, since what scrolls must scroll by keyboard too.
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${sortable ? html` class="sortable"` : ''}><caption class="unseen">${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

function classes(number: boolean, chart = false): Content {
  return chart ? html` class="chart"` : number && html` class="number"`;
}

function sortKey(value: number | null | undefined): Content {
  return value === undefined ? '' : html` data-sort="${value === null ? '' : value}"`;
}
