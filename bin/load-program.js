// Loads the program from dist/program, with the code that V8 made of it when it was built, where this is the same V8:
// to compile it anew would be a third of the time of a small run. The files are few, and lie in one folder, so finding
// them needs none of what Node does to find a module.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const FOLDER = path.join(__dirname, '../dist/program');
const CACHE = path.join(FOLDER, `code-${process.versions.v8}-${process.arch}`);

const cached = readCache();
const modules = new Map();
/** By name; for whoever writes the cache. */
const scripts = new Map();

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = path.join(FOLDER, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`;
  const script = new vm.Script(source, { filename, cachedData: cached.get(name) });
  scripts.set(name, script);
  const find = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
  script.runInThisContext()(module.exports, find, module, filename, FOLDER);
  return module.exports;
}

/** What the V8 that runs made of each file; nothing where there is none. V8 itself refuses what it did not make. */
function readCache() {
  const found = new Map();
  try {
    const bytes = readFileSync(CACHE);
    const start = 4 + bytes.readUInt32LE(0);
    let from = start;
    for (const [name, length] of JSON.parse(bytes.toString('utf8', 4, start))) {
      found.set(name, bytes.subarray(from, from + length));
      from += length;
    }
  } catch {
    // Built by another version of Node, perhaps.
  }
  return found;
}

module.exports = { CACHE, load, scripts };
