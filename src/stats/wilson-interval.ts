export interface Interval {
  low: number;
  high: number;
}

/** The 0.975 quantile of the standard normal distribution: 95 % lie within ± this. */
const NORMAL_975 = 1.959963984540054;

/** Wilson's score interval at 95 % for `successes` out of `count` independent trials. */
export function wilsonInterval(successes: number, count: number): Interval {
  const z2 = NORMAL_975 * NORMAL_975;
  const centre = successes + z2 / 2;
  const reach = NORMAL_975 * Math.sqrt((successes * (count - successes)) / count + z2 / 4);
  // At the ends the interval touches 0 or 1; rounding must not let it miss.
  return {
    low: successes === 0 ? 0 : (centre - reach) / (count + z2),
    high: successes === count ? 1 : (centre + reach) / (count + z2),
  };
}
