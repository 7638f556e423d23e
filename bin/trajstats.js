#!/usr/bin/env node
// A run is over in seconds: code that is optimised sooner, because less is drawn into it, serves better than the best.
// Only where it was measured: newer versions have a compiler in between, and not all of these flags.
if (process.versions.node.startsWith('20.'))
  require('node:v8').setFlagsFromString(
    '--max-inlined-bytecode-size-cumulative=100 --interrupt-budget=100000 --no-parallel-scavenge',
  );
const { main } = require('../dist/program/cli.js');

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
