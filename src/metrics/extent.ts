import type { Fold } from '../fold/fold.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import { epochMs } from '../stats/epoch-ms.ts';

export interface Extent {
  first: number | null;
  last: number | null;
}

/** The earliest and the latest timestamp; events need not be in order. */
export const extent: Fold<TrajectoryEvent, Extent, Extent> = {
  init: () => ({ first: null, last: null }),
  step(state, event) {
    const at = epochMs(event.timestamp);
    return at === null ? state : widen(state, at, at);
  },
  merge: (left, right) => (right.first === null || right.last === null ? left : widen(left, right.first, right.last)),
  done: (state) => state,
};

function widen(state: Extent, first: number, last: number): Extent {
  if (state.first === null || first < state.first) state.first = first;
  if (state.last === null || last > state.last) state.last = last;
  return state;
}
