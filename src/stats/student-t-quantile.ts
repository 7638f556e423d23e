import { gammaRatio } from './gamma-ratio.ts';

/** The quantile of Student's t distribution. */
export function studentTQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`a probability between 0 and 1, got ${probability}`);
  if (!(degreesOfFreedom > 0)) throw new RangeError(`positive degrees of freedom, got ${degreesOfFreedom}`);
  if (probability < 0.5) return -studentTQuantile(1 - probability, degreesOfFreedom);
  // The upper tail is convex for t > 0, so Newton's method from 0 climbs to the root and never passes it.
  const wanted = 1 - probability;
  let t = 0;
  for (let i = 0; i < 200; i++) {
    const next = t + (studentTUpperTail(t, degreesOfFreedom) - wanted) / studentTDensity(t, degreesOfFreedom);
    if (!(next - t > 1e-15 * t)) break;
    t = next;
  }
  return t;
}

function studentTDensity(t: number, degreesOfFreedom: number): number {
  const height = gammaRatio(degreesOfFreedom / 2) / Math.sqrt(degreesOfFreedom * Math.PI);
  return height * Math.exp((-(degreesOfFreedom + 1) / 2) * Math.log1p((t * t) / degreesOfFreedom));
}

/** P(T > t) for t ≥ 0: half the regularized incomplete beta function I_x(ν/2, ½) at x = ν/(ν + t²). */
export function studentTUpperTail(t: number, degreesOfFreedom: number): number {
  const a = degreesOfFreedom / 2;
  const x = degreesOfFreedom / (degreesOfFreedom + t * t);
  const complement = (t * t) / (degreesOfFreedom + t * t);
  const front =
    (Math.exp(-a * Math.log1p((t * t) / degreesOfFreedom)) * Math.sqrt(complement) * gammaRatio(a)) /
    Math.sqrt(Math.PI);
  // The continued fraction converges fast on its own side of the mean; the other side is one minus its mirror image.
  return x < (a + 1) / (a + 2.5)
    ? (front * betaFraction(x, a, 0.5)) / a / 2
    : (1 - (front * betaFraction(complement, 0.5, a)) / 0.5) / 2;
}

/** The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes, 6.4). */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return fraction;
}
