import { statSync } from 'node:fs';
import { findInputs } from '../read/inputs.ts';
import { UsageError } from './usage-error.ts';

/** A log that the user names is never written over, also not by another of its names. */
export function refuseInput(file: string, paths: string[]): void {
  const own = statSync(file, { throwIfNoEntry: false });
  if (!own?.isFile()) return;
  for (const input of findInputs(paths).inputs) {
    if (input.kind !== 'file' || !input.named) continue;
    const log = statSync(input.path, { throwIfNoEntry: false });
    if (log?.ino === own.ino && log.dev === own.dev)
      throw new UsageError(`refused to write ${file}: it is one of the logs that are to be read`);
  }
}
