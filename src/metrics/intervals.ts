/** A set of points in time, kept as disjoint intervals in order: [from, to, from, to, …]. */
export type Intervals = number[];

/** Adds an interval; what overlaps or touches becomes one. */
export function addInterval(intervals: Intervals, from: number, to: number): void {
  if (!(to > from)) return;
  const { length } = intervals;
  // Logs are in order of time nearly always, so the end is where to look first.
  if (length === 0 || from > intervals[length - 1]) {
    intervals.push(from, to);
    return;
  }
  const first = firstEndingAtOrAfter(intervals, from);
  let last = first;
  while (last < length && intervals[last] <= to) last += 2;
  const start = first < length ? Math.min(from, intervals[first]) : from;
  const end = last > first ? Math.max(to, intervals[last - 1]) : to;
  if (last === first) intervals.splice(first, 0, from, to);
  else intervals.splice(first, last - first, start, end);
}

export function totalLength(intervals: Intervals): number {
  let total = 0;
  for (let index = 0; index < intervals.length; index += 2) total += intervals[index + 1] - intervals[index];
  return total;
}

/** The length of what two sets have in common. */
export function overlapLength(a: Intervals, b: Intervals): number {
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

function firstEndingAtOrAfter(intervals: Intervals, time: number): number {
  let low = 0;
  let high = intervals.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intervals[2 * middle + 1] < time) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}
