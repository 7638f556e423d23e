const PATIENCE_MS = 5000;

/** Leaves out as much as it can, in halves, quarters and so on, while the rest still fails. */
export async function smallest(bytes, fails) {
  const until = performance.now() + PATIENCE_MS;
  let kept = bytes;
  for (let size = kept.length >> 1; size > 0; size >>= 1)
    for (let from = 0; from < kept.length && performance.now() < until; ) {
      const fewer = Buffer.concat([kept.subarray(0, from), kept.subarray(from + size)]);
      if (await fails(fewer)) kept = fewer;
      else from += size;
    }
  return kept;
}
