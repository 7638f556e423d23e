// Compiles src/ to dist/: the WebAssembly scanner, which the TypeScript imports; the types; the library; and the program
// (dist/program), in a few files instead of a hundred and fifty, because loading a file costs more at start-up than
// reading a small log. For the same reason the program is CommonJS, which Node loads with less ado.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

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
const common = {
  absWorkingDir: root,
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
};
const worker = 'src/jobs/worker.ts';
await build({ ...common, entryPoints: { index: 'src/index.ts', worker }, outdir: 'dist.new' });
const program = await build({
  ...common,
  entryPoints: { cli: 'src/cli/main.ts', worker },
  outdir: 'dist.new/program',
  write: false,
});
// By itself: code that two entries share comes to lie in a file of its own, and constants from another file are slow.
const scanThread = { entryPoints: { 'scan-thread': 'src/jobs/scan-thread.ts' }, splitting: false };
await build({ ...common, ...scanThread, outdir: 'dist.new' });
const programThread = await build({ ...common, ...scanThread, outdir: 'dist.new/program', write: false });
mkdirSync(path.join(fresh, 'program'), { recursive: true });
for (const file of [...program.outputFiles, ...programThread.outputFiles])
  writeFileSync(file.path, await commonJs(file.text));
writeFileSync(path.join(fresh, 'program/package.json'), '{"type":"commonjs"}\n');
writeFileSync(path.join(fresh, '.built'), '');
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
renameSync(fresh, path.join(root, 'dist'));
// Of use to those who have the same V8, as everybody has who built it; it works without, so a failure is none.
spawnSync(process.execPath, [path.join(root, 'scripts/write-code-cache.cjs')], { stdio: 'ignore' });

async function commonJs(text) {
  const hasUrl = text.includes('import.meta.url');
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'eof',
    supported: { 'dynamic-import': false },
    ...(hasUrl && {
      define: { 'import.meta.url': 'ownUrl' },
      banner: "const ownUrl = require('node:url').pathToFileURL(__filename).href;",
    }),
  });
  return code;
}
