/** Bytes that come in chunks, taken in the amounts that a reader needs. */
export class ByteQueue {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private waiting: Uint8Array = new Uint8Array(0);
  private ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** This many bytes, or fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    while (this.waiting.length < count && (await this.more()));
    return this.remove(count);
  }

  /** What is at hand, at most this much; nothing only at the end. */
  async takeSome(most: number): Promise<Uint8Array> {
    while (this.waiting.length === 0 && (await this.more()));
    return this.remove(most);
  }

  unread(bytes: Uint8Array): void {
    this.waiting = Buffer.concat([bytes, this.waiting]);
  }

  /** Drops zeros; true if there was nothing else up to the end. */
  async skipZeros(): Promise<boolean> {
    for (;;) {
      const other = this.waiting.findIndex((byte) => byte !== 0);
      if (other >= 0) {
        this.waiting = this.waiting.subarray(other);
        return false;
      }
      this.waiting = this.waiting.subarray(this.waiting.length);
      if (!(await this.more())) return true;
    }
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private remove(count: number): Uint8Array {
    const taken = this.waiting.subarray(0, count);
    this.waiting = this.waiting.subarray(count);
    return taken;
  }

  private async more(): Promise<boolean> {
    if (this.ended) return false;
    const next = await this.chunks.next();
    if (next.done) {
      this.ended = true;
      return false;
    }
    // Copied, because a chunk is valid only until the next one is asked for.
    this.waiting = Buffer.concat([this.waiting, next.value]);
    return true;
  }
}
