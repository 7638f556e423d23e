/** A Markdown table with its columns lined up, so that it reads well in a terminal too. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '').replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  // The first column is text, the others are figures.
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

export const megabytes = (bytes) => (bytes === null ? '–' : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`);
export const milliseconds = (ms) => (ms === null ? '–' : `${Math.round(ms).toLocaleString('en')} ms`);
export const speed = (bytes, ms) => (ms === null ? '–' : Math.round(bytes / 1e6 / (ms / 1e3)).toLocaleString('en'));
export const ratio = (value) => (Number.isFinite(value) ? `${value.toFixed(2)} ×` : '–');

/** The results of a race on one input; ratios say how many times as long each took as the first one. */
export function raceTable(input, results) {
  const base = results[0].ms;
  const rows = results.map(({ name, ms, peak, error }) =>
    error
      ? [name, 'failed', '–', '–', '–']
      : [name, milliseconds(ms), speed(input.bytes, ms), base ? ratio(ms / base) : '–', megabytes(peak)],
  );
  return table([`${input.format}, ${megabytes(input.bytes)}`, 'median', 'MB/s', 'time of first', 'peak memory'], rows);
}
