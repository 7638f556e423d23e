import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldAll } from '../../src/fold/fold.ts';
import { type Brackets, closeBracket, mergeBrackets, noBrackets, openBracket } from '../../src/metrics/brackets.ts';
import { numbersOf } from '../../src/metrics/intervals.ts';
import { tools } from '../../src/metrics/tools.ts';
import { turns } from '../../src/metrics/turns.ts';
import type { TrajectoryEvent } from '../../src/model/event.ts';
import { eventsOf } from './events.ts';

const T0 = Date.UTC(2026, 0, 5);
const at = (second: number | null) => (second === null ? null : new Date(T0 + 1000 * second).toISOString());
const call = (id: unknown, toolName: unknown, second: number | null = null): TrajectoryEvent => ({
  type: 'tool_call',
  timestamp: at(second),
  data: { toolCallId: id, toolName },
});
const result = (id: unknown, second: number | null = null, data: object = {}): TrajectoryEvent => ({
  type: 'tool_result',
  timestamp: at(second),
  data: { toolCallId: id, success: true, ...data },
});
const turn = (kind: 'start' | 'end', turnId: unknown, second: number | null): TrajectoryEvent => ({
  type: `turn_${kind}`,
  timestamp: at(second),
  data: { turnId },
});

const use = (...events: TrajectoryEvent[]) => Object.fromEntries(foldAll(tools, events).tools);
const seconds = (intervals: number[]) => intervals.map((ms) => (ms - T0) / 1000);

describe('tool calls and their results', () => {
  test('are paired by id, and the latency is the time between', () => {
    expect(
      use(call('a', 'read', 0), call('b', 'write', 1), result('a', 5), result('b', 2, { success: false })),
    ).toEqual({
      read: { calls: 1, errors: 0, unanswered: 0, latencyMs: [5000] },
      write: { calls: 1, errors: 1, unanswered: 0, latencyMs: [1000] },
    });
  });

  test('latencies stay in order and exact, however many there are, and in whatever parts they come', () => {
    // Short, long, and very long ones.
    const latencies = Array.from({ length: 30_000 }, (_, n) => (n % 1000 === 999 ? 20_000_003 : (n * 7) % 70_000));
    const events = latencies.flatMap((latency, n) => {
      const name = n % 3 === 0 ? 'rare' : 'often';
      return [call(n, name, n * 100), { ...result(n), timestamp: new Date(T0 + n * 100_000 + latency).toISOString() }];
    });
    const expected = {
      rare: { calls: 10_000, errors: 0, unanswered: 0, latencyMs: latencies.filter((_, n) => n % 3 === 0) },
      often: { calls: 20_000, errors: 0, unanswered: 0, latencyMs: latencies.filter((_, n) => n % 3 !== 0) },
    };
    expect(use(...events)).toEqual(expected);
    const half = (from: number, to: number) => events.slice(from, to).reduce(tools.step, tools.init());
    const merged = tools.merge(structuredClone(half(0, 25_001)), structuredClone(half(25_001, events.length)));
    expect(Object.fromEntries(tools.done(merged).tools)).toEqual(expected);
  });

  test('an id that is used again is answered by the latest open call', () => {
    expect(use(call('a', 'r', 0), call('a', 'r', 3), result('a', 4), result('a', 5)).r.latencyMs).toEqual([1000, 5000]);
  });

  test('without ids a result belongs to the latest open call of the same tool', () => {
    const named = (toolName: string, second: number) => result(undefined, second, { toolName });
    expect(use(call(undefined, 'r', 0), call(undefined, 'w', 1), named('r', 4), named('w', 6))).toMatchObject({
      r: { latencyMs: [4000] },
      w: { latencyMs: [5000] },
    });
  });

  test('a number and a text are different ids', () => {
    expect(use(call(1, 'r', 0), result('1', 1))).toMatchObject({ r: { unanswered: 1, latencyMs: [] } });
    expect(use(call(1, 'r', 0), result(1, 1))).toMatchObject({ r: { unanswered: 0, latencyMs: [1000] } });
  });

  test('a call that nobody answers is counted, and so is the failure of a result without a call', () => {
    expect(
      use(
        call('a', 'r'),
        result('x', 1, { success: false, toolName: 'r' }),
        result('y', 1, { success: false }),
        result('z'),
      ),
    ).toEqual({
      r: { calls: 1, errors: 1, unanswered: 1, latencyMs: [] },
      '(unknown)': { calls: 0, errors: 1, unanswered: 0, latencyMs: [] },
    });
  });

  test('a result before its call is no answer', () => {
    expect(use(result('a', 0), call('a', 'r', 1)).r.unanswered).toBe(1);
  });

  test('a result that is earlier than its call answers it, and has no latency', () => {
    expect(use(call('a', 'r', 5), result('a', 1)).r).toEqual({ calls: 1, errors: 0, unanswered: 0, latencyMs: [] });
  });

  test('only success: false is a failure', () => {
    const errors = [undefined, null, 'false', 0].map(
      (success) => use(call('a', 'r'), result('a', null, { success })).r.errors,
    );
    expect(errors).toEqual([0, 0, 0, 0]);
  });

  test('parallel calls make the tools busy once', () => {
    const { busy, timed } = foldAll(tools, [
      call('a', 'r', 0),
      call('b', 'r', 2),
      result('a', 4),
      result('b', 6),
      call('c', 'r', 10),
      result('c', 11),
      call('d', 'r', 20),
    ]);
    expect([seconds(busy.flatMap(numbersOf)), timed]).toEqual([[0, 6, 10, 11], 3]);
  });

  test('calls are answered, or not; nothing else', () => {
    fc.assert(
      fc.property(eventsOf('tool_call', 'tool_result'), (events) => {
        const { calls, tools: byTool, timed } = foldAll(tools, events);
        const uses = [...byTool.values()];
        const sum = (part: (one: (typeof uses)[number]) => number) => uses.reduce((total, one) => total + part(one), 0);
        const made = events.filter(({ type }) => type === 'tool_call').length;
        const results = events.length - made;
        expect(calls).toBe(made);
        expect(sum((one) => one.calls)).toBe(made);
        expect(sum((one) => one.latencyMs.length)).toBe(timed);
        expect(made - sum((one) => one.unanswered)).toBeLessThanOrEqual(results);
        expect(sum((one) => one.errors)).toBe(events.filter(({ data }) => data.success === false).length);
      }),
    );
  });
});

describe('turns', () => {
  test('are counted by their ends, and timed by their pairs', () => {
    const { count, timed, active } = foldAll(turns, [
      turn('start', '0', 0),
      turn('end', '0', 3),
      turn('start', '1', 5),
      turn('end', '1', 9),
      turn('end', '2', 20),
      turn('start', '3', 30),
    ]);
    expect([count, timed, seconds(active.flatMap(numbersOf))]).toEqual([3, 2, [0, 3, 5, 9]]);
  });

  test('without times are counted and not timed', () => {
    expect(foldAll(turns, [turn('start', '0', null), turn('end', '0', null)])).toEqual({
      count: 1,
      timed: 0,
      active: [],
    });
  });

  test('ids may be used again', () => {
    const { active, timed } = foldAll(turns, [
      turn('start', '0', 0),
      turn('end', '0', 1),
      turn('start', '0', 5),
      turn('end', '0', 6),
    ]);
    expect([seconds(active.flatMap(numbersOf)), timed]).toEqual([[0, 1, 5, 6], 2]);
  });
});

describe('brackets', () => {
  type Step = { key: string; open: boolean; n: number };
  const steps = fc
    .array(fc.record({ key: fc.constantFrom('a', 'b'), open: fc.boolean() }), { maxLength: 30 })
    .map((list) => list.map((step, n): Step => ({ ...step, n })));

  function pairsOf(list: Step[], brackets = noBrackets<number, number>()) {
    const pairs: [number, number][] = [];
    for (const { key, open, n } of list) {
      if (open) openBracket(brackets, key, n);
      else {
        const found = closeBracket(brackets, key, n);
        if (found !== undefined) pairs.push([found, n]);
      }
    }
    return { brackets, pairs };
  }

  /** What is open under each key, oldest first. */
  function stillOpen({ open, last }: Brackets<number, number>): Map<string, number[]> {
    const all = new Map([...(open ?? [])].map(([key, waiting]) => [key, [waiting].flat()]));
    if (last) all.set(last.key, [...(all.get(last.key) ?? []), last.open]);
    return new Map([...all].sort());
  }

  /** The other way round: a bracket closes the nearest open one of its key before it, from the text alone. */
  function naive(list: Step[]): string[] {
    const partner = new Map<number, number>();
    for (const { key, open, n } of list) {
      if (open) continue;
      for (let before = n - 1; before >= 0; before--) {
        const one = list[before];
        if (one.key === key && one.open && !partner.has(before)) {
          partner.set(before, n);
          break;
        }
      }
    }
    return [...partner].map(([from, to]) => `${from}-${to}`).sort();
  }

  test('close the nearest open one of their key, like parentheses', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { pairs, brackets } = pairsOf(list);
        expect(pairs.map(([from, to]) => `${from}-${to}`).sort()).toEqual(naive(list));
        const waiting = [...stillOpen(brackets).values()].flat().length;
        expect(2 * pairs.length + waiting + brackets.orphans.length).toBe(list.length);
      }),
    );
  });

  test('of two halves, joined, are those of the whole', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (list, n) => {
        const cut = n % (list.length + 1);
        const left = pairsOf(list.slice(0, cut));
        const right = pairsOf(list.slice(cut));
        const pairs = [...left.pairs, ...right.pairs];
        const merged = mergeBrackets(left.brackets, right.brackets, (from, to) => pairs.push([from, to]));
        const whole = pairsOf(list);
        expect(pairs.map(([from, to]) => `${from}-${to}`).sort()).toEqual(naive(list));
        expect(stillOpen(merged)).toEqual(stillOpen(whole.brackets));
        expect(merged.orphans).toEqual(whole.brackets.orphans);
      }),
    );
  });

  test('a bracket that opened at zero is closed too', () => {
    const brackets = noBrackets<number, number>();
    openBracket(brackets, 'k', 0);
    expect(closeBracket(brackets, 'k', 1)).toBe(0);
    expect(stillOpen(brackets).size).toBe(0);
  });
});
