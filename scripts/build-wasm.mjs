/**
 * Compiles the scanner (AssemblyScript) and writes it as a module of base64, so that it can be loaded synchronously and
 * bundled, and no binary lies in git. Does nothing if the output is newer than its sources; `--force` does it anyway.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/parse/simd');
const output = join(folder, 'scan.wasm.ts');

const sources = [
  fileURLToPath(import.meta.url),
  join(folder, 'codes.ts'),
  ...readdirSync(join(folder, 'assembly')).map((name) => join(folder, 'assembly', name)),
];
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (process.argv.includes('--force') || sources.some((path) => changed(path) >= changed(output))) {
  const bytes = await compile();
  writeFileSync(
    output,
    `// Compiled from ./assembly by scripts/build-wasm.mjs.\nexport default Buffer.from(\n  '${bytes.toString('base64')}',\n  'base64',\n);\n`,
  );
  console.log(`${relative(root, output)}: ${bytes.length} bytes`);
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const scratch = mkdtempSync(join(tmpdir(), 'trajstats-wasm-'));
  const file = join(scratch, 'scan.wasm');
  try {
    const { error, stderr } = await asc.main([
      relative(process.cwd(), join(folder, 'assembly/grammar.ts')),
      ...['--outFile', file],
      ...['-O3', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
      // Addresses are 32 bits wide here.
      ...['--disableWarning', '201'],
    ]);
    if (error || stderr.toString()) {
      console.error(stderr.toString());
      if (error) throw error;
    }
    return readFileSync(file);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
