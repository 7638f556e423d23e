import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const PROGRAM = path.join(ROOT, 'bin/trajstats.js');

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the built program as a user would, in a shell, from the repository's root. */
export function shell(command: string, options: { cwd?: string; input?: string | Uint8Array } = {}): Outcome {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: options.cwd ?? ROOT,
    input: options.input ?? '',
    encoding: 'utf8',
    env: { ...process.env, PATH: `${binFolder()}:${process.env.PATH}`, COLUMNS: '80', NO_COLOR: '1' },
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
}

/** Not every machine has jq; a test that needs it is skipped there, and says so. */
export function hasProgram(name: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found) console.warn(`\n*** ${name} is not installed: tests that need it are SKIPPED ***\n`);
  return found;
}

export function trajstats(
  args: string[],
  options: { cwd?: string; input?: string | Uint8Array; env?: Record<string, string> } = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd ?? ROOT,
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
}

export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

let bin: string | null = null;

/** A folder with a `trajstats` in it, for the PATH. */
function binFolder(): string {
  if (bin === null) {
    bin = mkdtempSync(path.join(tmpdir(), 'trajstats-bin-'));
    const program = path.join(bin, 'trajstats');
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    chmodSync(program, 0o755);
  }
  return bin;
}
