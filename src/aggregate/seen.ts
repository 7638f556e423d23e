import { hashNames } from '../fold/names.ts';
import type { ReportRow } from '../model/report-row.ts';

/** What is needed to know a trajectory again, and to say where it was. */
export interface Identity {
  key: number;
  path: string;
  line: number | null;
  index: number | null;
  id: string;
}

/**
 * A trajectory is the same as another if it has the same id, for the same trial of the same task by the same model and
 * variant: where a format names trajectories after their tasks, two models that did one task are not one. Null where it
 * has no id to know it by.
 */
export function identityOf({ source, id, task, trial, model, variant }: ReportRow): Identity | null {
  if (id === null) return null;
  // 53 bits: that any two of a million share them by chance happens once in twenty thousand runs.
  const key = hashNames(id, task, trial === null ? null : String(trial), model, variant);
  return { key, path: source.path, line: source.line, index: source.index, id: id.slice(0, 200) };
}

/** Beyond this many trajectories no new ones are remembered: memory has a bound, and duplicates mostly lie close. */
export const REMEMBERED = 1_000_000;

/** The trajectories that were seen so far: their keys in an open-addressed table, eight bytes each and some room. */
export class Seen {
  private table = new Float64Array(1024).fill(Number.NaN);
  private size = 0;

  /** Whether this one was seen before; from now on it was. */
  again({ key }: Identity): boolean {
    const place = this.placeOf(key);
    if (this.table[place] === key) return true;
    if (this.size < REMEMBERED) this.add(key, place);
    return false;
  }

  private add(key: number, place: number): void {
    this.table[place] = key;
    this.size++;
    if (this.size * 2 < this.table.length) return;
    const keys = this.table;
    this.table = new Float64Array(keys.length * 2).fill(Number.NaN);
    for (const old of keys) if (!Number.isNaN(old)) this.table[this.placeOf(old)] = old;
  }

  /** Where the key is, or would be. The keys are hashes already, so their low bits scatter them. */
  private placeOf(key: number): number {
    const mask = this.table.length - 1;
    let place = (key % 4_294_967_296) & mask;
    while (!Number.isNaN(this.table[place]) && this.table[place] !== key) place = (place + 1) & mask;
    return place;
  }
}
