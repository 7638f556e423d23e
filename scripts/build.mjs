// Compiles src/ to dist/: the WebAssembly scanner, which the TypeScript imports; the types; and the program in a few
// files instead of a hundred and fifty, because loading a file costs more at start-up than reading a small log.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// Built beside the old one and then put in its place, so that a build that fails takes nothing away.
const fresh = path.join(root, 'dist.new');
rmSync(fresh, { recursive: true, force: true });
run('scripts/build-wasm.mjs');
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', 'dist.new');
await build({
  absWorkingDir: root,
  entryPoints: { index: 'src/index.ts', cli: 'src/cli/main.ts', worker: 'src/jobs/worker.ts' },
  outdir: 'dist.new',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Beside the worker, which they look for in their own folder.
  chunkNames: 'part-[hash]',
  // Loaded rarely, and large or written for require().
  external: ['yargs', 'fzstd'],
  minifyWhitespace: true,
  legalComments: 'eof',
  logLevel: 'warning',
});
writeFileSync(path.join(fresh, '.built'), '');
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
renameSync(fresh, path.join(root, 'dist'));
