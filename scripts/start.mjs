// `npm start`: runs trajstats on the paths given, on what is piped in, or else on the samples.
import { spawn } from 'node:child_process';
import { fstatSync, read } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** How long a pipe may stay silent before it counts as nobody's: a terminal's child often has one that nobody feeds. */
const PATIENCE_MS = 3000;

const given = process.argv.slice(2);
const namesItsInput = await hasPaths(given);
const first = namesItsInput ? null : await pipedIn();
const args = namesItsInput || first ? given : [...given, 'samples'];

// npm runs scripts in the project's folder; paths are meant from where the user stands.
const cwd = args === given ? (process.env.INIT_CWD ?? process.cwd()) : root;
const child = spawn(process.execPath, [path.join(root, 'bin/trajstats.js'), ...args], {
  cwd,
  stdio: [first ? 'pipe' : 'inherit', 'inherit', 'inherit'],
});
child.on('exit', (code) => process.exit(code ?? 1));
if (first) {
  child.stdin.on('error', () => {});
  child.stdin.write(first);
  process.stdin.pipe(child.stdin);
}

/** Whether the arguments say what to read, or ask for something that reads nothing. */
async function hasPaths(argv) {
  const { readArguments } = await import('../dist/program/cli.js');
  try {
    const { paths, help, version } = readArguments(argv);
    return paths.length > 0 || help || version;
  } catch {
    return true;
  }
}

/** The first bytes of a pipe or a file on standard input, or null if there is none that says anything. */
async function pipedIn() {
  let stats;
  try {
    stats = fstatSync(0);
  } catch {
    return null;
  }
  if (!stats.isFIFO() && !stats.isFile() && !stats.isSocket()) return null;
  const buffer = Buffer.alloc(64 * 1024);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    read(0, buffer, 0, buffer.length, null, (error, size) => {
      clearTimeout(timer);
      resolve(error || size === 0 ? null : buffer.subarray(0, size));
    });
  });
}
