#!/usr/bin/env node
const { readdirSync } = require('node:fs');
const { constants, setPriority } = require('node:os');
const { load } = require('./load-program.js');

yieldToMainThread();
const { main } = load('cli.js');

// What Node loads for this takes longer than a small log.
setTimeout(fitToShortRun, 60).unref();

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

/**
 * So far there are only V8's own threads beside this one. With few cores, they would take them from the threads that
 * read, and to have code optimised a little later costs less. (In Linux each thread has a priority of its own.)
 */
function yieldToMainThread() {
  try {
    for (const id of readdirSync('/proc/self/task').map(Number))
      if (id !== process.pid) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Another system.
  }
}

/**
 * Code that is optimised sooner, because less is drawn into it, serves better than the best, and young objects are too
 * few to be worth waking a thread for. Only where it was measured: newer versions have a compiler in between, and not
 * all of these flags.
 */
function fitToShortRun() {
  if (process.versions.node.startsWith('20.'))
    require('node:v8').setFlagsFromString(
      '--max-inlined-bytecode-size-cumulative=100 --interrupt-budget=100000 --no-parallel-scavenge',
    );
}
