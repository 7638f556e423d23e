#!/usr/bin/env node
const { main } = require('./load-program.js').load('cli.js');

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
