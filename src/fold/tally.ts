import { byName } from './by-name.ts';
import { sum } from './sum.ts';

/** Adds up counts by name, over [name, count] pairs. */
export const tally = (limit: number) => byName(limit, sum);
