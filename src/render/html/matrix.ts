import type { Group, Report } from '../../model/report.ts';
import { percent, whole } from '../units.ts';
import { keyText } from '../view.ts';
import { type Column, dataTable } from './data-table.ts';
import { type Content, html, type Markup, NOTHING, nameMarkup } from './markup.ts';

/** Which model solves which task: drawn when the report is grouped by both. */

interface Cell {
  passed: number;
  failed: number;
  broken: number;
}

interface TaskRow {
  task: string;
  cells: Map<string, Cell>;
  all: Cell;
}

const MOST_TASKS = 1000;
const MOST_MODELS = 30;

export function matrix(report: Report): Markup {
  if (!report.by.includes('task') || !report.by.includes('model')) return NOTHING;
  const models = [...new Set(report.groups.map((group) => keyText(group, 'model')))];
  const rows = taskRows(report.groups);
  if (rows.length === 0) return NOTHING;
  const shown = models.slice(0, MOST_MODELS);
  const left = [
    rows.length > MOST_TASKS && `${whole(rows.length - MOST_TASKS)} more tasks`,
    models.length > shown.length && `${whole(models.length - shown.length)} more models`,
  ].filter(Boolean);
  const column = (title: Content, cellOf: (row: TaskRow) => Cell | undefined): Column<TaskRow> => ({
    title,
    value: (row) => share(cellOf(row)),
    cell: (row) => drawCell(cellOf(row)),
  });
  const all: Column<TaskRow> = {
    title: 'all',
    value: (row) => share(row.all),
    // Models that differ do not make a task flaky: this column has no mark.
    cell: ({ all: { passed, failed } }) => `${passed}/${passed + failed}`,
  };
  return html`<section aria-labelledby="matrix"><h2 id="matrix">Task × model</h2>
<p class="lead">Passed of graded trials. ${key('some', '◐')} flaky: both passed and failed. ${key('broken', '!')} broken: only errors or timeouts.</p>
<div class="matrix">${dataTable({
    caption: 'Task by model',
    items: rows.slice(0, MOST_TASKS),
    columns: [
      { title: 'task', cell: ({ task }) => nameMarkup(task) },
      ...shown.map((model) => column(nameMarkup(model), ({ cells }) => cells.get(model))),
      ...(models.length > 1 ? [all] : []),
    ],
  })}</div>${left.length > 0 && html`<p class="note">Not shown: ${left.join(' and ')}.</p>`}</section>`;
}

/** Finer groups, by variant say, add up to their task and model. */
function taskRows(groups: Group[]): TaskRow[] {
  const rows = new Map<string, TaskRow>();
  for (const group of groups) {
    const task = keyText(group, 'task');
    const model = keyText(group, 'model');
    const row = rows.get(task) ?? { task, cells: new Map(), all: { passed: 0, failed: 0, broken: 0 } };
    const cell = row.cells.get(model) ?? { passed: 0, failed: 0, broken: 0 };
    rows.set(task, row);
    row.cells.set(model, cell);
    for (const sum of [cell, row.all]) {
      sum.passed += group.outcomes.passed;
      sum.failed += group.outcomes.failed;
      sum.broken += group.outcomes.error + group.outcomes.timeout;
    }
  }
  return [...rows.values()];
}

function share(cell: Cell | undefined): number | null {
  return cell && cell.passed + cell.failed > 0 ? cell.passed / (cell.passed + cell.failed) : null;
}

function drawCell(cell: Cell | undefined): Content {
  if (!cell) return html`<span class="cell empty">–</span>`;
  const graded = cell.passed + cell.failed;
  if (graded === 0) {
    return cell.broken > 0
      ? html`<span class="cell broken" title="${cell.broken} errors or timeouts">! ${cell.broken}</span>`
      : html`<span class="cell empty">–</span>`;
  }
  const flaky = cell.passed > 0 && cell.failed > 0;
  const heat = flaky
    ? `some heat-${Math.min(4, 1 + Math.floor((cell.passed / graded) * 4))}`
    : cell.passed > 0
      ? 'all'
      : 'none';
  const words = `${percent(cell.passed / graded)} passed${flaky ? ', flaky' : ''}${cell.broken > 0 ? `, ${cell.broken} broken` : ''}`;
  return html`<span class="cell ${heat}" title="${words}">${flaky && html`<span class="mark" role="img" aria-label="flaky">◐</span> `}${cell.passed}/${graded}${cell.broken > 0 && html` <small>!${cell.broken}</small>`}</span>`;
}

function key(className: string, sign: string): Markup {
  return html`<span class="cell ${className}${className === 'some' && ' heat-2'}">${sign}</span>`;
}
