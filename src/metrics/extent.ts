import { epochMs } from '../stats/epoch-ms.ts';
import type { EventFold } from './event-fold.ts';

export interface Extent {
  first: number | null;
  last: number | null;
}

/** The earliest and the latest timestamp; events need not be in order. */
export const extent: EventFold<Extent, Extent> = {
  init: () => ({ first: null, last: null }),
  step(state, event) {
    const at = epochMs(event.timestamp);
    return at === null ? state : widen(state, at, at);
  },
  absorb: join,
  merge: join,
  done: (state) => state,
};

function join(state: Extent, { first, last }: Readonly<Extent>): Extent {
  return first === null || last === null ? state : widen(state, first, last);
}

function widen(state: Extent, first: number, last: number): Extent {
  if (state.first === null || first < state.first) state.first = first;
  if (state.last === null || last > state.last) state.last = last;
  return state;
}
