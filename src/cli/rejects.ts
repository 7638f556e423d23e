import { closeSync, openSync, writeSync } from 'node:fs';
import type { Reject } from '../model/reject.ts';
import { UsageError } from './usage-error.ts';

/**
 * The file of bad lines: one JSON object a line with the place, the reason and the line itself, as text where it is
 * UTF-8 and else in base64, so that nothing of it is lost.
 */
export class RejectsFile {
  private readonly file: number;

  constructor(path: string) {
    try {
      this.file = openSync(path, 'w');
    } catch (error) {
      throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
    }
  }

  add({ path, line, message, bytes }: Reject): void {
    const text = utf8(bytes);
    const raw = text === null ? { base64: Buffer.from(bytes).toString('base64') } : { text };
    writeSync(this.file, `${JSON.stringify({ path, line, message, ...raw })}\n`);
  }

  close(): void {
    closeSync(this.file);
  }
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
