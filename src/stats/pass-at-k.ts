/**
 * pass@k: the chance that at least one of k trials passes, drawn without replacement from `trials` of which `passed`
 * passed: 1 − C(n−c, k)/C(n, k). Term by term, because factorials overflow. For 1 ≤ k ≤ trials.
 */
export function passAtK(trials: number, passed: number, k: number): number {
  let allFail = 1;
  for (let i = 0; i < k && allFail !== 0; i++) allFail *= (trials - passed - i) / (trials - i);
  return 1 - allFail;
}
