import type { Distribution, Group, ToolSummary } from '../../model/report.ts';
import { duration, percent, plural, whole } from '../units.ts';
import { latencyScale, shareBar } from './charts.ts';
import { type Column, dataTable } from './data-table.ts';
import { html, type Markup, NOTHING, nameLabel, nameMarkup } from './markup.ts';

const MOST = 1000;

export function tools({ tools: all }: Group): Markup {
  if (all.length === 0) return NOTHING;
  const shown = all.slice(0, MOST);
  const calls = all.reduce((sum, tool) => sum + tool.calls, 0);
  const scale = latencyScale(shown.map(({ latencyMs }) => latencyMs));
  const latency = (title: string, key: keyof Distribution & ('p50' | 'p95' | 'max' | 'sum')): Column<ToolSummary> => ({
    title,
    value: ({ latencyMs }) => latencyMs[key],
    cell: ({ latencyMs }) => (latencyMs[key] === null ? '' : duration(latencyMs[key])),
  });
  return html`<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
<p class="lead">${plural(calls, 'call')} of ${plural(all.length, 'tool')}.</p>
${dataTable({
  caption: 'Tools',
  items: shown,
  columns: [
    { title: 'tool', cell: ({ name }) => nameMarkup(name) },
    { title: 'calls', value: (tool) => tool.calls, cell: (tool) => whole(tool.calls) },
    { title: 'error rate', value: ({ errorRate }) => errorRate, cell: errorCell },
    { title: 'errors', value: ({ errors }) => errors, cell: ({ errors }) => (errors > 0 ? whole(errors) : '') },
    {
      title: 'unanswered',
      value: ({ unanswered }) => unanswered,
      cell: ({ unanswered }) => (unanswered > 0 ? html`<span class="warn">${whole(unanswered)}</span>` : ''),
    },
    {
      title: scale ? scale.head('latency p50 – p95 – max') : '',
      chart: true,
      cell: ({ name, latencyMs }) => (scale ? scale.strip(nameLabel(name), latencyMs) : null),
    },
    latency('p50', 'p50'),
    latency('p95', 'p95'),
    latency('max', 'max'),
    latency('total', 'sum'),
  ],
})}${all.length > MOST && html`<p class="note">The first ${whole(MOST)} of them.</p>`}</section>`;
}

function errorCell({ name, errorRate }: ToolSummary) {
  if (errorRate === null) return '';
  return html`${shareBar(`Error rate of ${nameLabel(name)}`, errorRate, 'failed')}<span class="beside">${percent(errorRate)}</span>`;
}
