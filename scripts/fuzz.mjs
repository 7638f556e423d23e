#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/run.mjs';

const USAGE = `usage: npm run fuzz -- [--seed N] [--seconds N]

Breaks real-looking logs in many ways and reads them with both parsers: never a crash, a hang or an
account that does not add up, and what was not touched gives the same rows. The same seed tries the
same inputs in the same order; without one, the clock gives it. Ends with 1 at the first failure, and
prints the smallest input that shows it.

  --seed N      (default: from the clock)
  --seconds N   how long (default 60)`;

const text = { type: 'string' };
const { values } = parseArgs({ options: { seed: text, seconds: text, help: { type: 'boolean' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const seconds = Number(values.seconds ?? 60);
const build = new URL('../dist/index.js', import.meta.url);

if (values.help) console.log(USAGE);
else if (!Number.isSafeInteger(seed) || !(seconds > 0)) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (!existsSync(build)) {
  console.error('there is no build to fuzz: npm run build');
  process.exitCode = 2;
} else {
  console.log(`seed ${seed}, ${seconds} s`);
  const { inputs, failure } = await fuzz(await import(build.href), { seed, seconds });
  if (!failure) console.log(`${inputs} inputs, and nothing broke`);
  else {
    const { name, error, bytes, original, cutSeed } = failure;
    console.log(`input ${inputs} (${name}, chunks by seed ${cutSeed}) broke it: ${error.stack ?? error}\n`);
    console.log(
      `the smallest input that does (${bytes.length} of ${original.length} bytes), as a string and in base64:`,
    );
    console.log(JSON.stringify(bytes.toString()).slice(0, 2000));
    console.log(bytes.toString('base64'));
    process.exitCode = 1;
  }
}
