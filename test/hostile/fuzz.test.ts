import { expect, test } from 'vitest';
import * as library from '../../src/index.ts';

interface Failure {
  name: string;
  error: Error;
  bytes: Buffer;
}
type Fuzz = (
  against: typeof library,
  options: { seed: number; seconds: number; sweep?: boolean },
) => Promise<{ inputs: number; failure: Failure | null }>;

/** The code of `npm run fuzz`, for a moment, and with the same inputs every time. */
test.each([
  ['logs cut off byte after byte, as far as the time goes', true, 1.5],
  ['mutated logs', false, 2],
])('%s: no crash, no hang, no account that does not add up, and both parsers agree', async (_, sweep, seconds) => {
  // By a name that the compiler does not follow: scripts have no types.
  const { fuzz } = (await import(String(new URL('../../scripts/fuzz/run.mjs', import.meta.url)))) as { fuzz: Fuzz };
  const { inputs, failure } = await fuzz(library, { seed: 5, seconds, sweep });
  if (failure) throw new Error(`${failure.name}: ${failure.bytes.toString('base64')}`, { cause: failure.error });
  expect(inputs).toBeGreaterThan(5);
});
