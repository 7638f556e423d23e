import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../model/report.ts';
import { UsageError } from './usage-error.ts';

export type ReportFormat = 'table' | 'json' | 'md' | 'csv' | 'html';

/** The report in one of its formats. Each renderer is loaded only when it is asked for. */
export async function render(
  report: Report,
  format: ReportFormat,
  { width, color }: { width: number; color: boolean },
): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../render/json.ts')).renderJson(report);
    case 'csv':
      return (await import('../render/csv.ts')).renderCsv(report);
    case 'md':
      return (await import('../render/md.ts')).renderMarkdown(report);
    case 'html':
      return (await import('../render/html.ts')).renderHtml(report);
    default:
      return (await import('../render/table.ts')).renderTable(report, { width, color });
  }
}

const FORMAT_OF: Record<string, ReportFormat> = {
  '.json': 'json',
  '.md': 'md',
  '.markdown': 'md',
  '.csv': 'csv',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'table',
};

export function formatOfFile(file: string): ReportFormat {
  const extension = path.extname(file).toLowerCase();
  if (Object.hasOwn(FORMAT_OF, extension)) return FORMAT_OF[extension];
  throw new UsageError(`--out ${file}: the extension says the format: ${Object.keys(FORMAT_OF).join(' ')}`);
}

/** Written under another name and then renamed, so that nobody ever reads half a report, and whoever stops it leaves none. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${process.pid}-${Date.now().toString(36)}.partial`,
  );
  const stopWatching = onceStopped(() => rmSync(partial, { force: true }));
  try {
    const handle = openSync(partial, 'wx');
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UsageError(`cannot write ${file}: ${(error as Error).message}`);
  } finally {
    // A signal that came meanwhile gets its turn.
    await new Promise(setImmediate);
    stopWatching();
  }
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up before a signal does what it always does. Watches only until it is told not to: a listener delays the end. */
function onceStopped(cleanUp: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    cleanUp();
    stopWatching();
    process.kill(process.pid, signal);
  };
  const stopWatching = () => {
    for (const signal of STOPPING) process.off(signal, stop);
  };
  // Not `once`, which would let a second signal through before the first has cleaned up.
  for (const signal of STOPPING) process.on(signal, stop);
  return stopWatching;
}
