// Runs the program once on a sample, and keeps what V8 has compiled for it by then; see bin/load-program.js.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { CACHE, load, scripts } = require('../bin/load-program.js');

const sample = path.join(__dirname, '../samples/vally/results.jsonl');
load('cli.js')
  .main(['report', sample, '--jobs', '1', '--quiet'])
  .then(() => {
    const parts = [...scripts].map(([name, script]) => [name, script.createCachedData()]);
    const index = Buffer.from(JSON.stringify(parts.map(([name, data]) => [name, data.length])));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(index.length);
    writeFileSync(CACHE, Buffer.concat([length, index, ...parts.map(([, data]) => data)]));
  });
