/**
 * pass^k: the chance that all of k trials pass, drawn without replacement from `trials` of which `passed` passed:
 * C(c, k)/C(n, k). Term by term, because factorials overflow. For 1 ≤ k ≤ trials.
 */
export function passHatK(trials: number, passed: number, k: number): number {
  let allPass = 1;
  for (let i = 0; i < k && allPass !== 0; i++) allPass *= (passed - i) / (trials - i);
  return allPass;
}
