/**
 * Γ(x + ½) / Γ(x) for x > 0. Taken as one quantity, because the difference of two log-gammas loses digits as x grows.
 */
export function gammaRatio(x: number): number {
  let factor = 1;
  let large = x;
  // Γ(x + ½)/Γ(x) = x/(x + ½) · Γ(x + 3/2)/Γ(x + 1), up to where six terms of the asymptotic series are exact.
  for (; large < 100; large += 1) factor *= large / (large + 0.5);
  const r = 1 / large;
  const series =
    1 + r * (-1 / 8 + r * (1 / 128 + r * (5 / 1024 + r * (-21 / 32768 + r * (-399 / 262144 + r * (869 / 4194304))))));
  return factor * Math.sqrt(large) * series;
}
