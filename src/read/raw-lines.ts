const NEWLINE = 0x0a;
/** Of a bad line that is longer, the start is kept. */
export const RAW_LINE_BYTES = 16 * 1024 * 1024;

/** Remembers the bytes that a parser may still complain about, so that a bad line can be copied as it is. */
export class RawLines {
  /** The line that began before the current chunk, in pieces, as far as it is kept. */
  private open: Uint8Array[] = [];
  private openBytes = 0;
  private chunk: Uint8Array = new Uint8Array(0);
  private chunkStart = 0;

  /** The bytes that the parser gets next; the chunk before them is settled. */
  add(chunk: Uint8Array): void {
    const last = this.chunk.lastIndexOf(NEWLINE);
    if (last >= 0) {
      this.open = [];
      this.openBytes = 0;
    }
    const unfinished = this.chunk.subarray(last + 1, last + 1 + RAW_LINE_BYTES - this.openBytes);
    if (unfinished.length > 0) this.open.push(unfinished);
    this.openBytes += unfinished.length;
    this.chunkStart += this.chunk.length;
    // Copied, because the reader fills its buffer again.
    this.chunk = new Uint8Array(chunk);
  }

  /** The line that begins at this offset, without its newline. */
  at(offset: number): Uint8Array {
    if (offset >= this.chunkStart) return firstLine(this.chunk.subarray(offset - this.chunkStart));
    return Buffer.concat([...this.open, firstLine(this.chunk)]).subarray(0, RAW_LINE_BYTES);
  }
}

function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(NEWLINE);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
