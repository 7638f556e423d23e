import type { RowRef } from '../model/report.ts';
import { outliersOf } from './group.ts';
import type { ReportState } from './report.ts';

/** Moves the places that a state names down by some lines: it was folded over a part of a file that begins so far down. */
export function shiftLines(state: ReportState, lines: number): void {
  const groups = [state.total, ...state.groups.kept.values(), ...(state.groups.others ? [state.groups.others] : [])];
  // Once each: a reference may stand in several lists.
  const references = new Set<RowRef>(groups.flatMap(outliersOf));
  for (const reference of references) if (reference.line !== null) reference.line += lines;
}
