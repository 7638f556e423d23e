/**
 * All the script there is: it makes the headers of tables sort. The page is complete without it, so the buttons are
 * made here and not in the markup. Its hash is in the policy of the page.
 */
export const SCRIPT = `
'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const original = new Map([...body.rows].map((row, i) => [row, i]));
  const key = (row, column, number) => {
    const cell = row.cells[column];
    if (!number) return cell.textContent.trim();
    return cell.dataset.sort === '' || cell.dataset.sort === undefined ? null : Number(cell.dataset.sort);
  };
  const compare = (a, b) => (typeof a === 'number' ? a - b : a < b ? -1 : a > b ? 1 : 0);
  headers.forEach((header, column) => {
    if (header.classList.contains('chart')) return;
    const number = header.classList.contains('number');
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...header.childNodes);
    header.append(button);
    header.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => {
      const before = header.getAttribute('aria-sort');
      const descending = before === 'none' ? number : before === 'ascending';
      for (const other of headers) if (other.hasAttribute('aria-sort')) other.setAttribute('aria-sort', 'none');
      header.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      const rows = [...body.rows].map((row) => ({ row, value: key(row, column, number) }));
      rows.sort((a, b) => {
        if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
        return (descending ? -1 : 1) * compare(a.value, b.value) || original.get(a.row) - original.get(b.row);
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
}
`;
