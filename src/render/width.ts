/** How many columns a terminal gives to a text, and how to make a text fit. */

/** One column each, whatever stands beside them: ASCII, and what the tables are drawn with. */
const PLAIN = /^[\x20-\x7e±·×–…−≤≥∞─-▟●]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: most reports never do, and it takes as long as reading a small log. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Drawn as an emoji by default, or asked to be by U+FE0F, which also makes keycaps. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
/** East Asian Wide and Fullwidth, Unicode 16, without what EMOJI covers. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
/** Marks sit on the letter before them; the vowels and finals of Hangul join their initial. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (PLAIN.test(grapheme)) return grapheme.length;
  if (EMOJI.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Where to cut: names differ at their ends, so the middle of a path may go; prose loses its end. */
export type Cut = 'end' | 'middle';

export function shorten(text: string, width: number, cut: Cut = 'end'): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 1) return width === 1 ? '…' : '';
  const graphemes = PLAIN.test(text) ? [...text] : Array.from(graphemesOf(text), ({ segment }) => segment);
  const tail = cut === 'middle' ? take(graphemes.toReversed(), Math.ceil((width - 1) / 2)).reverse() : [];
  const head = take(graphemes, width - 1 - displayWidth(tail.join('')));
  return `${head.join('')}…${tail.join('')}`;
}

function take(graphemes: string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const grapheme of graphemes) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    taken.push(grapheme);
  }
  return taken;
}
