type Bytes = AsyncIterable<Uint8Array>;

const PIECE_BYTES = 16 * 1024;

/**
 * What comes out before an error is handed on before the error is thrown. Not by Node's own zstd, which some versions
 * have: it stops at the end of the first frame, and logs that were appended to have several.
 */
export async function* unzstd(source: Bytes): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const out: Uint8Array[] = [];
  const engine = new Decompress((chunk) => out.push(chunk));
  const push = (piece: Uint8Array, last: boolean): Error | null => {
    try {
      engine.push(piece, last);
      return null;
    } catch (error) {
      return broken(error as Error);
    }
  };
  for await (const piece of pieces(source)) {
    const failure = push(piece, false);
    yield* out.splice(0);
    if (failure) throw failure;
  }
  const failure = push(new Uint8Array(0), true);
  yield* out.splice(0);
  if (failure) throw failure;
}

/** Little at a time, because a little can become much; copied, because a chunk is valid only until the next one. */
async function* pieces(source: Bytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    // At once, and not piece by piece: where it lies may be written to before the last piece is asked for.
    const own = new Uint8Array(chunk);
    for (let from = 0; from < own.length; from += PIECE_BYTES) yield own.subarray(from, from + PIECE_BYTES);
  }
}

function broken(reason: Error): Error {
  return new Error(`broken compressed data: ${reason.message}`);
}
