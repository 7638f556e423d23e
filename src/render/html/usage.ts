import type { Group } from '../../model/report.ts';
import { compact, duration, percent, whole } from '../units.ts';
import { type ModelTokens, timeSplit, tokensByModel, unevenSplit } from '../view.ts';
import { legend, type Part, stackedBar, swatch } from './charts.ts';
import { dataTable } from './data-table.ts';
import { html, type Markup, NOTHING, nameLabel, nameMarkup } from './markup.ts';

/** Where the time and the tokens went. */

interface TimePart extends Part {
  detail: string;
}

export function time(group: Group): Markup {
  const split = timeSplit(group);
  const uneven = unevenSplit(split);
  const parts = split.map(
    ({ label, value, share }): TimePart => ({
      label,
      value,
      words: percent(share),
      detail: duration(value),
      className: `time-${label}`,
    }),
  );
  if (parts.length === 0) return NOTHING;
  return html`<section aria-labelledby="time"><h2 id="time">Time</h2>
<p class="lead">Waiting for the model, running tools, and the rest, over all trajectories.</p>
<div class="card">${stackedBar('Time', parts, 44)}${shares(parts)}${uneven !== null && html`<p class="note">${uneven}</p>`}</div></section>`;
}

/** The legend of a large bar, with room for both figures. */
function shares(parts: TimePart[]): Markup {
  return html`<dl class="shares">${parts.map(
    (part) =>
      html`<div><dt>${swatch(part)}${part.label}</dt><dd class="big">${part.words}</dd><dd class="note">${part.detail}</dd></div>`,
  )}</dl>`;
}

export function tokens(group: Group): Markup {
  const models = tokensByModel(group);
  if (models.length === 0) return NOTHING;
  const most = Math.max(...models.map(totalTokens));
  return html`<section aria-labelledby="tokens"><h2 id="tokens">Tokens by model</h2>
${legend([
  { label: 'input', value: 0, words: '', className: 'tokens-in' },
  { label: 'output', value: 0, words: '', className: 'tokens-out' },
])}
${dataTable({
  caption: 'Tokens by model',
  items: models,
  columns: [
    { title: 'model', cell: ({ model }) => nameMarkup(model) },
    { title: '', chart: true, cell: (model) => bar(model, most) },
    { title: 'total', value: totalTokens, cell: (model) => compact(totalTokens(model)) },
    { title: 'input', value: ({ inputTokens }) => inputTokens, cell: ({ inputTokens }) => compact(inputTokens) },
    { title: 'output', value: ({ outputTokens }) => outputTokens, cell: ({ outputTokens }) => compact(outputTokens) },
    { title: 'calls', value: ({ callCount }) => callCount, cell: ({ callCount }) => whole(callCount) },
  ],
})}${judge(group)}</section>`;
}

function totalTokens({ inputTokens, outputTokens }: ModelTokens): number {
  return inputTokens + outputTokens;
}

/** All bars have the scale of the longest: the rest of it is empty. */
function bar(model: ModelTokens, most: number): Markup {
  const { inputTokens, outputTokens } = model;
  return stackedBar(
    nameLabel(model.model),
    [
      { label: 'input', value: inputTokens, words: compact(inputTokens), className: 'tokens-in' },
      { label: 'output', value: outputTokens, words: compact(outputTokens), className: 'tokens-out' },
    ],
    16,
    most,
  );
}

function judge({ judge: spent }: Group): Markup {
  if (spent === null) return NOTHING;
  return html`<p class="note">Judges spent ${compact(spent.inputTokens)} tokens in and ${compact(spent.outputTokens)} out, and ${duration(spent.latencyMs)}; that is no part of the figures above.</p>`;
}
