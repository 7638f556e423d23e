import { studentTQuantile } from './student-t-quantile.ts';
import type { Interval } from './wilson-interval.ts';

/** The 95 % interval of a proportion from its clustered standard error: value ± t(0.975, C − 1) · SE, cut to [0, 1]. */
export function clusteredInterval(value: number, standardError: number, clusters: number): Interval {
  const reach = studentTQuantile(0.975, clusters - 1) * standardError;
  return { low: Math.max(0, value - reach), high: Math.min(1, value + reach) };
}
