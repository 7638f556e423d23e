// Compiles src/ to dist/: first the WebAssembly scanner, which the TypeScript imports, then the TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
if (existsSync(path.join(root, 'scripts/build-wasm.mjs'))) run('scripts/build-wasm.mjs');
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
writeFileSync(path.join(root, 'dist', '.built'), '');
