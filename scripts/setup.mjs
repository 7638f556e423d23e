// Installs and builds, each only when needed, with nothing but Node and npm. `npm start` and `npm test` begin here.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => path.join(root, ...parts);

function newest(entry) {
  if (!existsSync(entry)) return 0;
  const stats = statSync(entry);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

/** What these steps say goes to stderr: stdout belongs to the program that is run after them. */
function run(what, command, args) {
  process.stderr.write(`${what} …\n`);
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    process.stderr.write(`${what} failed: ${command} ${args.join(' ')}\n`);
    process.exit(1);
  }
}

const installed = newest(inRoot('node_modules', '.package-lock.json'));
// Not `npm ci`: it wants the binaries of every platform in the lock file, and not every registry carries them all.
if (installed < newest(inRoot('package-lock.json')))
  run('Installing', 'npm', ['install', '--no-save', '--no-audit', '--no-fund']);

const sources = ['src', 'scripts/build.mjs', 'scripts/build-wasm.mjs', 'tsconfig.json', 'tsconfig.build.json'];
const built = newest(inRoot('dist', '.built'));
if (built < Math.max(...sources.map((name) => newest(inRoot(name))))) run('Building', 'node', ['scripts/build.mjs']);
