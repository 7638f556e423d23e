import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const peer = (name) => fileURLToPath(new URL(`peer-${name}.mjs`, import.meta.url));
export const TRAJSTATS = fileURLToPath(new URL('../../bin/trajstats.js', import.meta.url));

const found = spawnSync('jq', ['--version'], { encoding: 'utf8' });
export const jqVersion = found.status === 0 ? found.stdout.trim() : null;

/** Fails unless what was counted is what the generator wrote. */
function expectSame(counted, input) {
  const wanted = Object.fromEntries(Object.keys(counted).map((name) => [name, input[name]]));
  if (isDeepStrictEqual(counted, wanted)) return;
  throw new Error(`wrong answer: ${JSON.stringify(counted)}, the input has ${JSON.stringify(wanted)}`);
}

/** The figures of a report that a summary of the generator has too. */
export function reportFigures(report) {
  const { trajectories, outcomes, distributions } = report.total;
  const figures = { bytes: report.input.bytes, trajectories, outcomes };
  for (const name of SUMS) figures[name] = distributions[name].sum ?? 0;
  return figures;
}
const SUMS = [
  ...['inputTokens', 'outputTokens', 'callCount', 'toolCallCount', 'toolErrorCount', 'skillActivationCount'],
  ...['turnCount', 'wallTimeMs', 'errorCount'],
];

const checkReport = (input) => (stdout) => {
  const { bytes, ...figures } = reportFigures(JSON.parse(stdout));
  expectSame(figures, input);
};
const checkCount = (input) => (stdout) => expectSame(JSON.parse(stdout), input);

/** `trajstats report` on an input, as a file or through a pipe. */
export function trajstats(input, { jobs = 1, pipe = false, parser } = {}) {
  const args = ['--format', 'json', '--jobs', String(jobs), ...(parser ? ['--parser', parser] : [])];
  const shown = args.slice(2).join(' ');
  return {
    name: `trajstats ${shown}${pipe ? ', pipe' : ''}`,
    shown: pipe ? `cat FILE | trajstats report --format json ${shown}` : `trajstats report FILE --format json ${shown}`,
    command: [process.execPath, TRAJSTATS, 'report', ...(pipe ? [] : [input.path]), ...args],
    pipe: pipe ? input.path : undefined,
    check: checkReport(input),
  };
}

export function jq(input) {
  const filter = 'select(.type=="trial-result") | .trajectory.events | length';
  const events = (stdout) => stdout.split('\n').reduce((sum, line) => sum + Number(line), 0);
  return {
    name: jqVersion.replace('-', ' '),
    shown: `jq '${filter}' FILE`,
    command: ['jq', filter, input.path],
    check: (stdout) => expectSame({ events: events(stdout) }, input),
  };
}

export const jsonParse = (input) => ({
  name: 'JSON.parse per line',
  shown: 'node scripts/bench/peer-json-parse.mjs FILE',
  command: [process.execPath, peer('json-parse'), input.path],
  check: checkCount(input),
});

export const streamJson = (input) => ({
  name: 'stream-json tokens',
  shown: 'node scripts/bench/peer-stream-json.mjs FILE',
  command: [process.execPath, peer('stream-json'), input.path],
  check: checkCount(input),
});

export const duckdbQuery = (input, duckdb, threads, query = input.format) => ({
  name: `DuckDB${query.endsWith('report') ? ' report' : ''}, ${threads} thread${threads > 1 ? 's' : ''}`,
  shown: `node scripts/bench/peer-duckdb.mjs FILE ${query} ${threads} FOLDER`,
  command: [process.execPath, peer('duckdb'), input.path, query, String(threads), duckdb.folder],
  check: checkCount(input),
});

export const wc = (input) => ({ name: 'wc -l', shown: 'wc -l FILE', command: ['wc', '-l', input.path] });
