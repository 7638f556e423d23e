import assert from 'node:assert/strict';
import { Random } from '../bench/sample/random.mjs';
import { chunksOf, gzipMembers, linesOf } from './mutate.mjs';

const PARSERS = ['simd', 'stream-json'];
const COUNTS = ['files', 'lines', 'good', 'bad', 'blank', 'trajectories', 'duplicates', 'truncatedTails', 'unreadable'];

/** More than this for a small log is a hang. */
const PATIENCE_MS = 20_000;

/**
 * What must hold of every input, whatever is in it. `known` says for lines of the clean log which row they gave. Throws
 * where something does not hold; `seed` decides how the bytes are cut into chunks.
 */
export async function check(library, bytes, seed, known = new Map()) {
  const random = new Random(seed);
  const [rows, reference] = await Promise.all(
    PARSERS.map((parser) => patient(readRows(library, bytes, random, { parser }))),
  );
  agree(rows, reference);
  balanced(rows.account);
  sameLines(rows, bytes, known);

  const { report, account } = await patient(
    library.readReport([input(bytes, random)], ['model', 'outcome'], { jobs: 1 }),
  );
  assert.deepEqual(countsOf(account), rows.account, 'a report has the account of its rows');
  assert.equal(report.total.trajectories, rows.rows.length, 'a report counts its rows');
  noNaN(report, 'report');

  const events = await patient(readEvents(library, bytes, random));
  balanced(events.account);
  for (const line of events.lines) JSON.parse(line);

  const packed = gzipMembers(bytes, random);
  const unpacked = await patient(readRows(library, packed, random));
  // Bytes that look compressed themselves are one layer more.
  assert.deepEqual(unpacked, rows, 'compression changes nothing');
  balanced((await patient(readRows(library, packed.subarray(0, random.below(packed.length)), random))).account);
}

/** The rows of the lines of a clean log, by the bytes of the line; none where its records are not lines. */
export async function knownLines(library, bytes) {
  const known = new Map();
  for (const line of linesOf(bytes)) {
    if (line.at(-1) !== 0x0a) continue;
    const { rows } = await readRows(library, line, new Random(0));
    if (rows.length === 1 && rows[0].source.line !== null) known.set(line.toString('latin1'), rows[0]);
  }
  return known;
}

function sameLines({ rows }, bytes, known) {
  const found = new Set(rows.map((row) => JSON.stringify(row)));
  for (const [index, line] of linesOf(bytes).entries()) {
    const row = known.get(line.toString('latin1'));
    if (!row) continue;
    // Rows that are read back name the lines of the logs that they came from.
    const source = row.source.path === 'log' ? { ...row.source, line: index + 1 } : row.source;
    assert.ok(found.has(JSON.stringify({ ...row, source })), `line ${index + 1} was not touched, and gives its row`);
  }
}

async function readRows(library, bytes, random, options = {}) {
  const reading = library.readRows([input(bytes, random)], { jobs: 1, ...options });
  const rows = [];
  for await (const batch of reading) for (const row of batch) rows.push(row);
  return { rows, account: countsOf(reading.account) };
}

async function readEvents(library, bytes, random) {
  const reading = library.readEventLines([input(bytes, random)]);
  const lines = [];
  for await (const batch of reading) for (const line of batch) lines.push(line);
  return { lines, account: countsOf(reading.account) };
}

function input(bytes, random) {
  return { name: 'log', chunks: chunksOf(bytes, random) };
}

function countsOf(account) {
  return Object.fromEntries(COUNTS.map((name) => [name, account[name]]));
}

function agree(rows, reference) {
  // Where a document breaks off, stream-json throws away the tokens of the piece that it was at, and with them what was
  // complete in it; and a break in its last few bytes looks to it like an end that is missing. Then it may have less, but
  // nothing else.
  const broken = [rows, reference].every(({ account }) => account.bad + account.truncatedTails > 0);
  const inLines = rows.rows.some(({ source }) => source.line !== null);
  const less = { rows: rows.rows.slice(0, reference.rows.length), account: reference.account };
  const expected = broken && !inLines ? less : rows;
  assert.deepEqual(reference, expected, 'both parsers agree on rows and account');
  balanced(reference.account);
}

function balanced({ lines, good, bad, blank }) {
  assert.equal(lines, good + bad + blank, 'lines = good + bad + blank');
}

function noNaN(value, where) {
  if (typeof value === 'number') assert.ok(!Number.isNaN(value), `${where} is NaN`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) noNaN(member, `${where}.${key}`);
}

function patient(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
