import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Beyond this much text, what is held back goes to a temporary file. */
const MEMORY_BYTES = 8 * 1024 * 1024;

/**
 * Lines that are held back until something is known that only comes after them. In memory while they are few, on disk
 * when they are many, so that a trajectory of gigabytes can be held back too.
 */
export class Spool {
  private lines: string[] = [];
  private size = 0;
  private file: number | null = null;

  add(line: string): void {
    this.lines.push(line);
    this.size += line.length;
    if (this.size > MEMORY_BYTES) this.flush();
  }

  /** All lines in order, in batches; afterwards the spool is empty. */
  *drain(): Generator<string[]> {
    try {
      if (this.file !== null) {
        this.flush();
        yield* linesOf(this.file);
      } else if (this.lines.length > 0) yield this.lines;
    } finally {
      this.clear();
    }
  }

  clear(): void {
    this.lines = [];
    this.size = 0;
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private flush(): void {
    this.file ??= nameless();
    if (this.lines.length > 0) writeAll(this.file, Buffer.from(`${this.lines.join('\n')}\n`));
    this.lines = [];
    this.size = 0;
  }
}

/** A file that has lost its name goes away with the process, whatever ends it. */
function nameless(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'trajstats-'));
  try {
    return openSync(path.join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function* linesOf(file: number): Generator<string[]> {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const size = readSync(file, buffer, 0, buffer.length, position);
    if (size === 0) break;
    position += size;
    const bytes = Buffer.concat([rest, buffer.subarray(0, size)]);
    const end = bytes.lastIndexOf(0x0a);
    rest = bytes.subarray(end + 1);
    if (end >= 0) yield bytes.toString('utf8', 0, end).split('\n');
  }
}
