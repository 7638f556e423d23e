import { Random } from '../bench/sample/random.mjs';
import { check, knownLines } from './check.mjs';
import { corpus, smallLogs } from './corpus.mjs';
import { mutate } from './mutate.mjs';
import { smallest } from './shrink.mjs';

/**
 * Fuzzes the library for some seconds. Gives the number of inputs, and the first failure, if there is one, with an input
 * that is as small as could be made in a few seconds.
 */
export async function fuzz(library, { seed, seconds, sweep = true }) {
  const until = performance.now() + seconds * 1000;
  let inputs = 0;
  const attempt = async (name, bytes, cutSeed, known) => {
    inputs++;
    const error = await failureOf(library, bytes, cutSeed, known);
    if (!error) return null;
    const fails = async (fewer) => (await failureOf(library, fewer, cutSeed, known)) !== null;
    return { name, error, cutSeed, bytes: await smallest(bytes, fails), original: bytes };
  };

  for (const { name, bytes } of sweep ? smallLogs() : [])
    for (let end = 0; end <= bytes.length && performance.now() < until; end++) {
      const failure = await attempt(`${name}, cut off at byte ${end}`, bytes.subarray(0, end), seed + end);
      if (failure) return { inputs, failure };
    }

  const logs = [];
  for (const log of corpus()) logs.push({ ...log, known: await knownLines(library, log.bytes) });
  for (let round = 0; performance.now() < until; round++) {
    // Each input has a seed of its own, so that one of them can be tried again without those before it.
    const random = new Random(Math.imul(seed, 1_000_003) + round);
    const log = random.pick(logs);
    // What an input is, is told once; with lines of another format in it, it may be the other one.
    const mixed = random.chance(0.2);
    const other = random.pick(mixed ? logs : logs.filter(({ format }) => format === log.format));
    const bytes = mutate(log.bytes, random, other.bytes);
    const failure = await attempt(`${log.name}, round ${round}`, bytes, random.next(), mixed ? undefined : log.known);
    if (failure) return { inputs, failure };
  }
  return { inputs, failure: null };
}

async function failureOf(library, bytes, cutSeed, known) {
  try {
    await check(library, bytes, cutSeed, known);
    return null;
  } catch (error) {
    return error;
  }
}
