import { writeSync } from 'node:fs';

/** Collects small pieces in one large buffer, so that memory stays flat and each write is large. */
export class Writer {
  constructor(sink, capacity = 1 << 20) {
    this.sink = sink;
    this.buffer = Buffer.allocUnsafe(capacity);
    this.used = 0;
    this.position = 0;
  }

  /** A short piece of plain ASCII. */
  ascii(text) {
    if (this.used + text.length > this.buffer.length) this.flush();
    this.used += this.buffer.latin1Write(text, this.used);
    this.position += text.length;
  }

  /** The bytes [start, end) of a prepared buffer. */
  bytes(source, start, end) {
    this.position += end - start;
    while (start < end) {
      const copied = source.copy(this.buffer, this.used, start, end);
      this.used += copied;
      start += copied;
      if (start < end) this.flush();
    }
  }

  flush() {
    this.sink(this.buffer.subarray(0, this.used));
    this.used = 0;
  }
}

/** Measures what would be written. */
export class Measure {
  position = 0;

  ascii(text) {
    this.position += text.length;
  }

  bytes(_source, start, end) {
    this.position += end - start;
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Blocking writes to standard output: the reader sets the pace. A closed pipe ends the program quietly. */
export function writeToStdout(chunk) {
  let start = 0;
  while (start < chunk.length) {
    try {
      start += writeSync(1, chunk, start);
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0);
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1); // the other end made the pipe non-blocking, and it is full
    }
  }
}
