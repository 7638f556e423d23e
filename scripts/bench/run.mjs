import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Replaces itself with the command, so the process id in the file is the command's.
const ANNOUNCED = 'echo $$ > "$0"; exec "$@"';
const PIPED = 'file=$1; shift; cat "$file" | exec "$@"';
const POLL_MS = 10;
const hasGnuTime = spawnSync('/usr/bin/time', ['-f', '%M', 'true'], { encoding: 'utf8' }).stderr?.trim().match(/^\d+$/);

/**
 * Runs a command to its end: its wall time, what it wrote to standard output, and its peak memory in bytes (of the
 * command itself, where a file is piped into it), or null where the system does not tell. With GNU time the kernel's
 * figure is exact; without it the high-water mark is polled, and growth in the last 10 ms goes unseen.
 */
export async function run(command, { pipe } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trajstats-run-'));
  const note = join(folder, 'note');
  try {
    const wrapper = hasGnuTime ? ['/usr/bin/time', '-f', '%M', '-o', note] : ['sh', '-c', ANNOUNCED, note];
    const measured = [...wrapper, ...command];
    const [program, ...args] = pipe ? ['sh', '-c', PIPED, 'sh', pipe, ...measured] : measured;
    const start = process.hrtime.bigint();
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let polled = null;
    const poll = hasGnuTime ? null : setInterval(() => (polled = peakOf(note) ?? polled), POLL_MS);
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve, reject) => child.on('close', resolve).on('error', reject)),
    ]);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (poll) clearInterval(poll);
    if (code !== 0) throw new Error(`exit ${code}: ${command.join(' ')}\n${stderr}`);
    return {
      ms,
      stdout,
      peak: hasGnuTime ? Number(readFileSync(note, 'utf8').trim().split('\n').at(-1)) * 1024 : polled,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function text(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function peakOf(note) {
  try {
    return statusBytes(Number(readFileSync(note, 'utf8')), 'VmHWM');
  } catch {
    return null; // not yet started, already gone, or not Linux
  }
}

/** A figure of /proc/PID/status: `VmRSS`, the memory in use, or `VmHWM`, the most there ever was. */
export function statusBytes(pid, name) {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A turn that is over sooner is taken again, but not for ever. */
const MOST_RUNS = 5;

/**
 * Gives every contestant a turn in each round, so that a slow moment of the machine hits them all. A turn is one run, or
 * several of them until it has lasted `turnMs`: else those that are over in a moment have all the bad luck, or none. A
 * contestant is `{name, command, pipe?, check(stdout)}`; one that fails is reported with its error and not run again.
 */
export async function race(contestants, rounds, log, turnMs = 0) {
  const results = contestants.map((contestant) => ({ ...contestant, times: [], peaks: [], error: null }));
  for (let round = 1; round <= rounds; round++) {
    for (const result of results) {
      if (result.error) continue;
      try {
        const times = [];
        do {
          const { ms, peak, stdout } = await run(result.command, result);
          result.check?.(stdout);
          times.push(ms);
          if (peak !== null) result.peaks.push(peak);
        } while (times.length < MOST_RUNS && times.reduce((sum, ms) => sum + ms, 0) < turnMs);
        result.times.push(...times);
        log(`  round ${round}: ${result.name} ${times.map(Math.round).join(', ')} ms`);
      } catch (error) {
        result.error = error.message;
        log(`  ${result.name} failed: ${error.message}`);
      }
    }
  }
  return results.map(({ times, peaks, error, ...rest }) => ({
    ...rest,
    error,
    ms: error ? null : median(times),
    peak: error || peaks.length === 0 ? null : Math.max(...peaks),
  }));
}
