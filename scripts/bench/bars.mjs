import { megabytes, ratio } from './markdown.mjs';

const MEMORY = 160e6;
const LINEAR = 1.25; // a megabyte at the end of a series may take that much longer than at its beginning

/** The bars of the specification against what was measured: `measured` is undefined where nothing was. */
export function judge(measured) {
  const { speed, growth, recordGrowth, giantRecord, giantString, files, startUp } = measured;
  // Undefined where it was not run, null where it failed.
  const time = (results, name) => results?.find((result) => result.name.startsWith(name))?.ms;
  const oneJob = time(speed, 'trajstats --jobs 1');
  const twoJobs = time(speed, 'trajstats --jobs 2');
  const times = (bar, slower, own, least) => atLeast(bar, over(slower, own), least, ratio);
  const empty = time(startUp, 'an empty');

  return [
    times('one job: 8 × the speed of jq', time(speed, 'jq'), oneJob, 8),
    times('one job: 5 × JSON.parse per line', time(speed, 'JSON.parse'), oneJob, 5),
    times('one job: 1.5 × a report by DuckDB, one thread', time(speed, 'DuckDB report, 1'), oneJob, 1.5),
    times('two jobs: 1.5 × a report by DuckDB, two threads', time(speed, 'DuckDB report, 2'), twoJobs, 1.5),
    times('one job: 1.5 × DuckDB that only counts, one thread', time(speed, 'DuckDB, 1'), oneJob, 1.5),
    times('two jobs: 1.5 × DuckDB that only counts, two threads', time(speed, 'DuckDB, 2'), twoJobs, 1.5),
    times('two jobs: faster than one', oneJob, twoJobs, 1),
    ...(growth ?? []).map(({ bytes, results }) => memory(`memory on ${megabytes(bytes)}`, results)),
    memory('memory on a record of 1 GB', giantRecord),
    memory('memory with a string of 600 MB', giantString),
    linear('time is linear in the input', growth),
    linear('time is linear in the length of one record', recordGrowth),
    atLeast('small files a second: 3,000', perSecond(files), 3000, (value) => Math.round(value).toLocaleString('en')),
    atMost('--version: 2 × an empty Node program', over(time(startUp, 'trajstats --version'), empty), 2, ratio),
    atMost('a report of 10 lines: 2 × an empty Node program', over(time(startUp, 'a report'), empty), 2, ratio),
  ];
}

/** A figure made of others: undefined if one of them is, else null if one of them failed. */
const derive = (values, compute) =>
  values.includes(undefined) ? undefined : values.includes(null) ? null : compute(...values);
const over = (value, base) => derive([value, base], (a, b) => a / b);
const perSecond = (files) =>
  derive(files?.map(({ ms }) => ms) ?? [undefined], (...ms) => 10_000 / (Math.min(...ms) / 1e3));

function verdict(bar, value, holds, format) {
  if (value === undefined) return { bar };
  return value === null
    ? { bar, measured: 'failed', pass: false }
    : { bar, measured: format(value), pass: holds(value) };
}
const atLeast = (bar, value, least, format) => verdict(bar, value, (found) => found >= least, format);
const atMost = (bar, value, most, format) => verdict(bar, value, (found) => found <= most, format);

function memory(bar, results) {
  const peaks = results?.map(({ peak }) => peak) ?? [undefined];
  return atMost(`${bar}: at most 160 MB`, derive(peaks, Math.max), MEMORY, megabytes);
}

/** The time of a further megabyte, in the last step of the series against the first: start-up does not count. */
function linear(bar, points) {
  const times = points?.map(({ results }) => results[0].ms) ?? [undefined];
  const slope = (from, to) => (times.at(to) - times.at(from)) / (points.at(to).bytes - points.at(from).bytes);
  const growth = derive(times, () => (slope(0, 1) > 0 && slope(-2, -1) > 0 ? slope(-2, -1) / slope(0, 1) : Number.NaN));
  // More input in less time is noise, and proves nothing.
  if (Number.isNaN(growth)) return { bar, measured: 'too noisy' };
  return atMost(`${bar}: a MB more costs the same (at most 1.25 ×)`, growth, LINEAR, ratio);
}
