import type { Problem } from './problem.ts';

/** A line that was refused, as it stands in the log. */
export interface Reject extends Problem {
  bytes: Uint8Array;
}
