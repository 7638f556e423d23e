import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/read/in-order.ts';

async function* counting(label: string, size: number, pause: () => Promise<unknown> = tick, log: string[] = []) {
  try {
    for (let n = 0; n < size; n++) {
      await pause();
      log.push(`${label}${n}`);
      yield `${label}${n}`;
    }
  } finally {
    log.push(`${label} closed`);
  }
}

async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

const settle = async (ticks = 60) => {
  for (let n = 0; n < ticks; n++) await tick();
};

describe('several sources at once', () => {
  test('give what they hold in the order of the sources, whichever is faster', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 3 })), { maxLength: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (sources, atOnce) => {
          const read = ([size, pace]: [number, number], at: number) => counting(`${at}.`, size, () => settle(pace));
          const numbered = sources.map((source, at) => [source, at] as const);
          const found = await all(inOrder(numbered, atOnce, ([source, at]) => read(source, at)));
          expect(found).toEqual(sources.flatMap(([size], at) => Array.from({ length: size }, (_, n) => `${at}.${n}`)));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('run at the same time, and never more than allowed', async () => {
    let running = 0;
    let most = 0;
    const read = async function* (n: number) {
      most = Math.max(most, ++running);
      await settle(5);
      running--;
      yield n;
    };
    expect(await all(inOrder([0, 1, 2, 3, 4, 5, 6, 7], 3, read))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  test('that are ahead wait, however long they are', async () => {
    const log: string[] = [];
    const reading = inOrder(['a', 'b', 'c'], 3, (label) => counting(label, 1000, tick, log));
    expect((await reading.next()).value).toBe('a0');
    await settle(200);
    for (const label of ['a', 'b', 'c'])
      expect(log.filter((entry) => entry.startsWith(label)).length).toBeLessThanOrEqual(100);
    await reading.return(undefined);
  });

  test('that are ahead wait, however many they are', async () => {
    const begun = new Set<number>();
    const sources = Array.from({ length: 1000 }, (_, n) => n);
    const reading = inOrder(sources, 4, async function* (n) {
      begun.add(n);
      for (let batch = 0; batch < (n === 0 ? 100 : 1); batch++) {
        await tick();
        yield n;
      }
    });
    expect((await reading.next()).value).toBe(0);
    await settle(400);
    expect(begun.size).toBeLessThanOrEqual(100);
    expect(new Set(await all(reading)).size).toBe(1000);
  });

  test('that fail surface their error after what stands before it', async () => {
    const reading = inOrder(['a', 'b', 'c'], 3, async function* (label) {
      yield* counting(label, 2);
      if (label === 'b') throw new Error('b broke');
    });
    const found: string[] = [];
    await expect(
      (async () => {
        for await (const thing of reading) found.push(thing);
      })(),
    ).rejects.toThrow('b broke');
    expect(found).toEqual(['a0', 'a1', 'b0', 'b1']);
  });

  test.each([1, 3])('are closed when the reader stops early, with %d at once', async (atOnce) => {
    const log: string[] = [];
    for await (const thing of inOrder(['a', 'b', 'c', 'd', 'e'], atOnce, (label) => counting(label, 500, tick, log)))
      if (thing === 'a2') break;
    await settle();
    const begun = new Set(log.map((entry) => entry[0]));
    for (const label of begun) expect(log).toContain(`${label} closed`);
    expect(begun.size).toBe(atOnce);
    expect(log.length).toBeLessThan(300);
  });

  test('of which there are none give nothing', async () => {
    expect(await all(inOrder([], 4, () => counting('x', 1)))).toEqual([]);
  });
});
