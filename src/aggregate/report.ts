import { type CappedState, capped, OTHER, pooled } from '../fold/capped.ts';
import type { Fold } from '../fold/fold.ts';
import { compareNullable } from '../fold/names.ts';
import type { Group } from '../model/report.ts';
import type { ReportRow } from '../model/report-row.ts';
import { type Dimension, dimensionOf } from './dimension.ts';
import { type GroupState, group } from './group.ts';
import { LIMITS } from './limits.ts';

export interface ReportState {
  total: GroupState;
  groups: CappedState<GroupState, GroupState>;
}

export interface Groups {
  total: Group;
  /** Sorted by key, null last. */
  groups: Group[];
}

/** Folds rows into the groups of a report: everything together, and once more for each combination of the dimensions. */
export function reportFold(by: readonly Dimension[]): Fold<ReportRow, ReportState, Groups> {
  const nameOf = (row: ReportRow) => JSON.stringify(by.map((dimension) => dimensionOf(row, dimension)));
  const keyOf = (values: readonly (string | null)[]) => Object.fromEntries(by.map((name, i) => [name, values[i]]));
  const others = by.map(() => OTHER);
  const groups = capped(LIMITS.groups, nameOf, group, pooled(group, JSON.stringify(others)));
  return {
    init: () => ({ total: group.init(), groups: groups.init() }),
    step(state, row) {
      state.total = group.step(state.total, row);
      if (by.length > 0) state.groups = groups.step(state.groups, row);
      return state;
    },
    merge: (left, right) => ({
      total: group.merge(left.total, right.total),
      groups: groups.merge(left.groups, right.groups),
    }),
    done(state) {
      const result = groups.done(state.groups);
      const total = group.done(state.total);
      const keyed = result.kept.map(([name, rest]) => ({ values: JSON.parse(name) as (string | null)[], rest }));
      if (result.others !== null) keyed.push({ values: others, rest: group.done(result.others) });
      return {
        total: { key: {}, ...total, ...(result.cut && { capped: [...(total.capped ?? []), 'groups'] }) },
        groups: keyed
          .toSorted((a, b) => compareKeys(a.values, b.values))
          .map(({ values, rest }) => ({ key: keyOf(values), ...rest })),
      };
    },
  };
}

function compareKeys(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  const differing = a.findIndex((value, i) => value !== b[i]);
  return differing < 0 ? 0 : compareNullable(a[differing], b[differing]);
}
