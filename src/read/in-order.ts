import pLimit from 'p-limit';

/** How many batches a source may be ahead of the one that is being read. */
const AHEAD = 32;
/** How many sources, for each one that may run, may be begun before those ahead of them are read to their end. */
const SOURCES_AHEAD = 8;

/**
 * Reads several sources at once, and gives what they yield in the order of the sources. A source that is ahead waits, so
 * that what is held stays bounded however long the sources are, and however many.
 */
export async function* inOrder<X, T>(
  sources: X[],
  atOnce: number,
  read: (source: X) => AsyncIterable<T>,
): AsyncGenerator<T> {
  if (atOnce <= 1 || sources.length <= 1) {
    for (const source of sources) yield* read(source);
    return;
  }
  const limit = pLimit(atOnce);
  const queues: Queue<T>[] = sources.map(() => new Queue<T>());
  let stopped = false;
  const begin = (index: number) => {
    if (index >= sources.length) return;
    const queue = queues[index];
    limit(async () => {
      try {
        for await (const batch of read(sources[index])) {
          if (stopped) return;
          await queue.push(batch);
        }
        queue.close();
      } catch (error) {
        queue.fail(error);
      }
    });
  };
  const ahead = atOnce * SOURCES_AHEAD;
  for (let index = 0; index < ahead; index++) begin(index);
  try {
    for (let index = 0; index < queues.length; index++) {
      yield* queues[index].drain();
      queues[index] = DONE;
      begin(index + ahead);
    }
  } finally {
    stopped = true;
    limit.clearQueue();
    for (const queue of queues) queue.abandon();
  }
}

class Queue<T> {
  private items: T[] = [];
  private closed = false;
  private failure: { error: unknown } | null = null;
  private abandoned = false;
  private wakeReader = () => {};
  private wakeWriter = () => {};

  async push(item: T): Promise<void> {
    this.items.push(item);
    this.wakeReader();
    while (this.items.length >= AHEAD && !this.abandoned)
      await new Promise<void>((resolve) => {
        this.wakeWriter = resolve;
      });
  }

  close(): void {
    this.closed = true;
    this.wakeReader();
  }

  fail(error: unknown): void {
    this.failure = { error };
    this.close();
  }

  abandon(): void {
    this.abandoned = true;
    this.wakeWriter();
  }

  async *drain(): AsyncGenerator<T> {
    for (;;) {
      const batch = this.items;
      this.items = [];
      this.wakeWriter();
      yield* batch;
      if (this.items.length > 0) continue;
      if (this.failure) throw this.failure.error;
      if (this.closed) return;
      await new Promise<void>((resolve) => {
        this.wakeReader = resolve;
      });
    }
  }
}

/** Stands where a queue was, so that what it held can go. */
const DONE = new Queue<never>();
