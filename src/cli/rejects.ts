import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Reject } from '../model/reject.ts';
import { UsageError } from './usage-error.ts';

/**
 * The file of bad lines: one JSON object a line with the place, the reason and the line itself, as text where it is
 * UTF-8 and else in base64, so that nothing of it is lost.
 */
export class RejectsFile {
  private readonly file: number;

  constructor(private readonly path: string) {
    this.file = this.orFail(() => openSync(path, 'w'));
  }

  add({ path, line, message, bytes }: Reject): void {
    const text = utf8(bytes);
    const raw = text === null ? { base64: Buffer.from(bytes).toString('base64') } : { text };
    this.orFail(() => writeFileSync(this.file, `${JSON.stringify({ path, line, message, ...raw })}\n`));
  }

  close(): void {
    this.orFail(() => closeSync(this.file));
  }

  private orFail<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw new UsageError(`cannot write ${this.path}: ${(error as Error).message}`);
    }
  }
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
