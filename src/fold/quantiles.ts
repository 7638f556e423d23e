import { quantile } from '../stats/quantile.ts';
import { type ExactUpToState, exactUpTo } from './exact-up-to.ts';
import { extent } from './extent.ts';
import { type Fold, mapDone, struct } from './fold.ts';
import { sketch } from './sketch.ts';

/** Quantiles of at most so many values are exact; more, and they come from a sketch. */
export const EXACT_VALUES = 10_000;

export interface Quantiles {
  /** In the order they were asked for; null for no values. */
  values: (number | null)[];
  /** Whether they are exact (type 7), or from a sketch. */
  exact: boolean;
}

/** Quantiles at the given probabilities. */
export function quantiles(probabilities: readonly number[]): Fold<number, ExactUpToState<unknown[]>, Quantiles> {
  return exactUpTo(
    EXACT_VALUES,
    (sorted): Quantiles => ({
      values: probabilities.map((probability) => (sorted.length === 0 ? null : quantile(sorted, probability))),
      exact: true,
    }),
    mapDone(struct<number, { bins: typeof sketch; extent: typeof extent }>({ bins: sketch, extent }), (result) => ({
      values: probabilities.map((probability) => result.bins(probability, result.extent!)),
      exact: false,
    })),
  );
}
