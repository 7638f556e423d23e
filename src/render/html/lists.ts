import type { Group } from '../../model/report.ts';
import { percent, whole } from '../units.ts';
import { shareBar } from './charts.ts';
import { type Column, dataTable } from './data-table.ts';
import { html, type Markup, NOTHING, nameLabel, nameMarkup } from './markup.ts';

/** The short tables: who graded, what went wrong, what was used, and which tasks cannot decide. */

const MOST = 200;

export function lists({ graders, errors, flaky, skills, statuses }: Group, withFlaky: boolean): Markup {
  const blocks = [
    list('graders', 'Graders', graders, [
      { title: 'grader', cell: ({ name }) => nameMarkup(name) },
      {
        title: 'pass rate',
        value: ({ passed, failed }) => (passed + failed > 0 ? passed / (passed + failed) : null),
        cell: ({ name, passed, failed }) =>
          passed + failed > 0
            ? html`${shareBar(`Pass rate of ${nameLabel(name)}`, passed / (passed + failed), 'passed')}<span class="beside">${percent(passed / (passed + failed))}</span>`
            : '',
      },
      { title: 'passed', value: ({ passed }) => passed, cell: ({ passed }) => whole(passed) },
      { title: 'failed', value: ({ failed }) => failed, cell: ({ failed }) => whole(failed) },
    ]),
    list('flaky', 'Flaky tasks', withFlaky ? flaky : [], [
      { title: 'task', cell: ({ task }) => nameMarkup(task) },
      {
        title: 'passed of graded',
        value: ({ passed, failed }) => passed / (passed + failed),
        cell: ({ task, passed, failed }) =>
          html`${shareBar(nameLabel(task), passed / (passed + failed), 'passed')}<span class="beside">${passed}/${passed + failed}</span>`,
      },
    ]),
    list('errors', 'Errors', errors, [
      { title: 'type', cell: ({ type }) => nameMarkup(type) },
      { title: 'count', value: ({ count }) => count, cell: ({ count }) => whole(count) },
    ]),
    list('skills', 'Skills', skills, [
      { title: 'skill', cell: ({ name }) => nameMarkup(name) },
      { title: 'activations', value: ({ activations }) => activations, cell: ({ activations }) => whole(activations) },
      {
        title: 'trajectories',
        value: ({ trajectories }) => trajectories,
        cell: ({ trajectories }) => whole(trajectories),
      },
    ]),
    list('statuses', 'Statuses', statuses, [
      { title: 'status', cell: ({ status }) => nameMarkup(status) },
      { title: 'count', value: ({ count }) => count, cell: ({ count }) => whole(count) },
    ]),
  ].filter((block) => block !== NOTHING);
  return blocks.length === 0 ? NOTHING : html`<div class="columns">${blocks}</div>`;
}

function list<T>(id: string, title: string, items: T[], columns: Column<T>[]): Markup {
  if (items.length === 0) return NOTHING;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${dataTable({ caption: title, items: items.slice(0, MOST), columns })}${items.length > MOST && html`<p class="note">… and ${whole(items.length - MOST)} more.</p>`}</section>`;
}
