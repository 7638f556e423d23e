import { epochMs } from '../stats/epoch-ms.ts';
import { type Brackets, closeBracket, mergeBrackets, noBrackets, openBracket } from './brackets.ts';
import type { EventFold } from './event-fold.ts';
import { addInterval, addIntervals, type Intervals } from './intervals.ts';

export interface TurnState {
  ends: number;
  pairs: Brackets<number, number>;
  timed: number;
  active: Intervals;
}

export interface TurnResult {
  /** `turn_end` events. */
  count: number;
  /** Turns whose length is known. */
  timed: number;
  /** When a turn was going on. */
  active: Intervals;
}

/** Turns, by their ends, and the time between their starts and ends. */
export const turns: EventFold<TurnState, TurnResult> = {
  init: () => ({ ends: 0, pairs: noBrackets(), timed: 0, active: [] }),

  step(state, event) {
    const at = epochMs(event.timestamp);
    const key = String(event.data.turnId);
    if (event.type === 'turn_end') state.ends++;
    if (at === null) return state;
    if (event.type === 'turn_start') openBracket(state.pairs, key, at);
    else {
      const start = closeBracket(state.pairs, key, at);
      if (start !== undefined) addTurn(state, start, at);
    }
    return state;
  },

  absorb(state, { turnEnds, turns, openTurns }) {
    state.ends += turnEnds;
    for (let index = 0; index < turns.length; index += 2) addTurn(state, turns[index], turns[index + 1]);
    for (const { id, at } of openTurns) openBracket(state.pairs, id, at);
    return state;
  },

  merge(left, right) {
    left.ends += right.ends;
    left.timed += right.timed;
    mergeBrackets(left.pairs, right.pairs, (start, end) => addTurn(left, start, end));
    addIntervals(left.active, right.active);
    return left;
  },

  done: (state) => ({ count: state.ends, timed: state.timed, active: state.active }),
};

function addTurn(state: TurnState, start: number, end: number): void {
  if (end < start) return;
  state.timed++;
  addInterval(state.active, start, end);
}
