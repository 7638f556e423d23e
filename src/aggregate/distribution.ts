import { type ExactUpToState, exactUpTo } from '../fold/exact-up-to.ts';
import { type Extent, extent } from '../fold/extent.ts';
import type { Fold } from '../fold/fold.ts';
import { type Moments, type MomentsState, moments, momentsOf } from '../fold/moments.ts';
import { EXACT_VALUES } from '../fold/quantiles.ts';
import { type Sketch, sketch } from '../fold/sketch.ts';
import type { Distribution } from '../model/report.ts';
import { quantile } from '../stats/quantile.ts';

interface Beyond {
  moments: MomentsState;
  extent: Extent;
  bins: Sketch;
}

export type DistributionState = ExactUpToState<Beyond>;

/** All of a distribution but what is missing from it, which only the group knows. */
export type Described = Omit<Distribution, 'missing'>;

/** Written out, where `struct` would say the same: no other code runs as often. */
const beyond: Fold<number, Beyond, Described> = {
  init: () => ({ moments: moments.init(), extent: extent.init(), bins: sketch.init() }),
  step(state, value) {
    moments.step(state.moments, value);
    extent.step(state.extent, value);
    sketch.step(state.bins, value);
    return state;
  },
  merge(left, right) {
    moments.merge(left.moments, right.moments);
    extent.merge(left.extent, right.extent);
    sketch.merge(left.bins, right.bins);
    return left;
  },
  done(state) {
    const ends = extent.done(state.extent)!;
    const quantileAt = sketch.done(state.bins);
    return describe(moments.done(state.moments), ends, (probability) => quantileAt(probability, ends), false);
  },
};

/** Count, sum, mean, deviation, extremes and quantiles of finite numbers; anything else is passed over, and so missing. */
export const distribution: Fold<number | null, DistributionState, Described> = finite(
  exactUpTo(
    EXACT_VALUES,
    (sorted) => {
      if (sorted.length === 0) return NOTHING;
      const ends = { min: sorted[0], max: sorted[sorted.length - 1] };
      return describe(momentsOf(sorted), ends, (probability) => quantile(sorted, probability), true);
    },
    beyond,
  ),
);

/** A distribution beside the number of inputs that had no value for it. */
export function withMissing({ count, ...rest }: Described, missing: number): Distribution {
  return { count, missing, ...rest };
}

const NOTHING: Described = {
  count: 0,
  sum: null,
  mean: null,
  sd: null,
  min: null,
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  max: null,
  exact: true,
};

function describe(
  { count, sum, mean, sd }: Moments,
  { min, max }: Extent,
  at: (probability: number) => number,
  exact: boolean,
): Described {
  return { count, sum, mean, sd, min, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max, exact };
}

function finite<S, R>(fold: Fold<number, S, R>): Fold<number | null, S, R> {
  return { ...fold, step: (state, value) => (Number.isFinite(value) ? fold.step(state, value as number) : state) };
}
