#!/usr/bin/env node
const { main } = require('../dist/program/cli.js');

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
