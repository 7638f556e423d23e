import { htmlText } from '../escape.ts';
import { boundedName } from '../name.ts';

/** Markup that is known to be ours. Everything else is text, and is escaped when it gets into a template. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | false | Content[];

/** html`<b>${name}</b>`: safe by default, since only Markup goes in as it is. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + render(values[i - 1]!) + part));
}

function render(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (Array.isArray(content)) return content.map(render).join('');
  return content === null || content === false ? '' : htmlText(String(content));
}

export const NOTHING = html``;

/** A name from the log: isolated, so that one in a right-to-left script does not turn its line around. */
export function nameMarkup(name: string): Markup {
  return html`<bdi class="name">${boundedName(name)}</bdi>`;
}

/** For titles and descriptions, where no markup can stand. */
export function nameLabel(name: string): string {
  return boundedName(name, 120);
}
