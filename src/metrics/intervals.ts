/**
 * A set of points in time, kept as disjoint intervals in order: [from, to, from, to, …]. They lie in blocks, in order and
 * none of them empty, because a single list of millions would be copied whenever it grows, or gets one in the middle.
 * Blocks that are full are packed, and have to be opened before they change.
 */
export type Intervals = Block[];
type Block = number[] | Packed;

/** What the numbers are beyond the base: whole milliseconds, of a few weeks, need half of the room. */
interface Packed {
  base: number;
  beyond: Uint32Array | Float64Array;
}

/** Numbers in a block that is full. */
const FULL = 8192;

/** Adds an interval; what overlaps or touches becomes one. */
export function addInterval(intervals: Intervals, from: number, to: number, full = FULL): void {
  if (!(to > from)) return;
  if (intervals.length === 0) {
    intervals.push([from, to]);
    return;
  }
  // Logs are in order of time nearly always, so the end is where to look first.
  const last = openBlock(intervals, intervals.length - 1);
  if (from <= last[last.length - 1]) {
    if (from < last[last.length - 2]) {
      // Two calls at a time, of which the first one ends last.
      if (last.length === 2 || from <= last[last.length - 3] || to < last[last.length - 2]) {
        insert(intervals, from, to, full);
        return;
      }
      last[last.length - 2] = from;
    }
    if (to > last[last.length - 1]) last[last.length - 1] = to;
  } else if (last.length < full) last.push(from, to);
  else {
    intervals[intervals.length - 1] = packed(last);
    intervals.push([from, to]);
  }
}

export function addIntervals(intervals: Intervals, more: Intervals): void {
  for (const block of more) {
    const numbers = numbersOf(block);
    for (let at = 0; at < numbers.length; at += 2) addInterval(intervals, numbers[at], numbers[at + 1]);
  }
}

export function totalLength(intervals: Intervals): number {
  let total = 0;
  for (const block of intervals) {
    const numbers = numbersOf(block);
    for (let at = 0; at < numbers.length; at += 2) total += numbers[at + 1] - numbers[at];
  }
  return total;
}

/** The length of what two sets have in common. */
export function overlapLength(a: Intervals, b: Intervals): number {
  if (a.length === 0 || b.length === 0) return 0;
  let total = 0;
  let i = 0;
  let j = 0;
  let ofA = numbersOf(a[i]);
  let ofB = numbersOf(b[j]);
  for (;;) {
    total += overlapOfBlocks(ofA, ofB);
    if (ofA[ofA.length - 1] < ofB[ofB.length - 1]) {
      if (++i === a.length) return total;
      ofA = numbersOf(a[i]);
    } else {
      if (++j === b.length) return total;
      ofB = numbersOf(b[j]);
    }
  }
}

function overlapOfBlocks(a: readonly number[], b: readonly number[]): number {
  let total = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const shared = Math.min(a[i + 1], b[j + 1]) - Math.max(a[i], b[j]);
    if (shared > 0) total += shared;
    if (a[i + 1] < b[j + 1]) i += 2;
    else j += 2;
  }
  return total;
}

/** Adds an interval that does not come after all others. */
function insert(intervals: Intervals, from: number, to: number, full: number): void {
  const first = firstWhere(intervals.length, (index) => endOf(intervals[index]) >= from);
  const block = openBlock(intervals, first);
  const at = 2 * firstWhere(block.length / 2, (index) => block[2 * index + 1] >= from);
  if (block[at] > to) {
    block.splice(at, 0, from, to);
    if (block.length > full) intervals.splice(first + 1, 0, block.splice((block.length >> 2) << 1));
    return;
  }
  // It joins with this one, and with all others that begin before it ends.
  const start = Math.min(from, block[at]);
  let last = first;
  while (last + 1 < intervals.length && startOf(intervals[last + 1]) <= to) last++;
  const ending = openBlock(intervals, last);
  const behind = 2 * firstWhere(ending.length / 2, (index) => ending[2 * index] > to);
  const end = Math.max(to, ending[behind - 1]);
  if (last === first) {
    block.splice(at, behind - at, start, end);
    return;
  }
  block.splice(at, block.length - at, start, end);
  ending.splice(0, behind);
  intervals.splice(first + 1, last - first - (ending.length > 0 ? 1 : 0));
}

/** A block as a list, which can be changed. */
function openBlock(intervals: Intervals, index: number): number[] {
  const block = intervals[index];
  if (Array.isArray(block)) return block;
  const open = numbersOf(block);
  intervals[index] = open;
  return open;
}

function packed(numbers: readonly number[]): Packed {
  const base = numbers[0];
  const areNear = numbers[numbers.length - 1] - base <= 0xffffffff && numbers.every(Number.isSafeInteger);
  if (!areNear) return { base: 0, beyond: Float64Array.from(numbers) };
  const beyond = new Uint32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) beyond[at] = numbers[at] - base;
  return { base, beyond };
}

export function numbersOf(block: Block): number[] {
  if (Array.isArray(block)) return block;
  const { base, beyond } = block;
  const numbers: number[] = [];
  for (let at = 0; at < beyond.length; at++) numbers.push(base + beyond[at]);
  return numbers;
}

function startOf(block: Block): number {
  return Array.isArray(block) ? block[0] : block.base + block.beyond[0];
}

function endOf(block: Block): number {
  return Array.isArray(block) ? block[block.length - 1] : block.base + block.beyond[block.beyond.length - 1];
}

/** The first of so many numbers for which this holds, as it does for all after it; or how many there are. */
function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
