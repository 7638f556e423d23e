/** The longest start of the text that is at most this many bytes of UTF-8; characters stay whole. */
export function cutToBytes(text: string, maxBytes: number): string {
  // No character is longer than three bytes per UTF-16 unit, so most strings need no counting.
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const point = text.codePointAt(index) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) return text.slice(0, index);
    index += point < 0x10000 ? 1 : 2;
  }
  return text;
}
