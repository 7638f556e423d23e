import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from './inputs.ts';

/**
 * The file that a log names by a path: only what stands in the log's own folder, or below it, is ever opened, and only
 * if it is a file, since whoever opens a pipe waits for its other end.
 */
export function fileBeside(log: string, relative: string): string | { refusal: string } {
  const folder = path.dirname(log);
  const file = path.join(folder, relative);
  const refusal = `refused to read ${JSON.stringify(relative)}: it leads out of the folder of this file`;
  if (path.isAbsolute(relative) || leadsOut(path.relative(folder, file))) return { refusal };
  try {
    if (leadsOut(path.relative(realpathSync(folder), realpathSync(file)))) return { refusal };
    if (!statSync(file).isFile()) return { refusal: `refused to read ${JSON.stringify(relative)}: it is not a file` };
  } catch (error) {
    return { refusal: `cannot read ${JSON.stringify(relative)}: ${reasonOf(error)}` };
  }
  return file;
}

function leadsOut(relative: string): boolean {
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
}
