/**
 * Text from a log is data and stays data. An agent copies its names from the web, so a tool may be called
 * `\x1b]52;c;…`, `<img onerror=…>`, `@everyone` or `=HYPERLINK(…)`; each writer below takes the meaning out of such text
 * for one kind of reader, and leaves it legible.
 */

/**
 * What a reader would obey instead of see: C0 and C1 controls (so every terminal sequence), lone surrogates, line and
 * paragraph separators, and the invisible characters, bidi controls among them. The joiners and the emoji selectors
 * are spared, since scripts and emoji need them.
 */
const OBEYED =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** For terminals, and the ground for all the others: `\x1b` is shown as the six characters `\u001b`. */
export function inertText(text: string): string {
  return text.replace(OBEYED, escapeSequence);
}

function escapeSequence(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For HTML, between tags and in quoted attributes alike. */
export function htmlText(text: string): string {
  return inertText(text).replace(/[&<>"']/g, (character) => HTML_ENTITIES[character]!);
}

/**
 * For Markdown: a code span, the one place where GitHub looks for no mention, link, image, emoji or reference.
 * What could end the span or its table cell, or open a tag in a less careful viewer, is escaped like a control.
 */
export function markdownCode(text: string): string {
  const inert = inertText(text).replace(/[`|<]/g, escapeSequence);
  // A span of nothing but spaces would not be a span.
  return inert.trim() === '' ? '`""`' : `\`${inert}\``;
}

/** Leading blanks are looked through, as spreadsheets do; the full-width signs count in East Asian locales. */
const STARTS_FORMULA = /^\s*[=+\-@＝＋－＠]/;

/**
 * A cell of RFC 4180. Text that a spreadsheet would take for a formula gets a leading `'`; a number is never text.
 * Null is an empty cell and the empty string a quoted one. Line breaks are shown escaped: one record, one line.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const inert = inertText(value);
  const text = STARTS_FORMULA.test(inert) ? `'${inert}` : inert;
  return text === '' || /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Strict JSON that is safe to print: what JSON.stringify leaves raw beyond ASCII (C1, U+2028, bidi) becomes a `\u`
 * escape, which a parser reads back as the same text.
 */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(OBEYED, (character) =>
    // The line breaks of the indentation are the only raw C0 controls here.
    character === '\n' ? character : [...codeUnits(character)].map(jsonEscape).join(''),
  );
}

function* codeUnits(text: string): Generator<number> {
  for (let i = 0; i < text.length; i++) yield text.charCodeAt(i);
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
