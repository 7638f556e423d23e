#!/usr/bin/env node
const { load, tune } = require('./load-program.js');
const { main } = load('cli.js');

// What Node loads for it takes longer than a small log.
setTimeout(tune, 60).unref();

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
