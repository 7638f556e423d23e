/** Numbers as people read them, the same on every machine: no locale is asked. */

/** A log can hold any double, and a sum of them can be beyond all doubles: still a number, and told as one. */
function astronomic(value: number): string {
  if (Number.isFinite(value)) return value.toExponential(1);
  return value < 0 ? '-∞' : '∞';
}

/** `1,234,567` */
export function whole(value: number): string {
  return grouped(Math.round(value).toString());
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

const STEPS: [number, string][] = [
  [1e15, 'Q'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** `7`, `3.4`, `9,870`, `12.3 k`, `1.2 M`: exact while it is short. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e18) return astronomic(value);
  if (size < 9999.5) return Number.isInteger(value) || size >= 100 ? whole(value) : decimal(value, 1);
  for (const [step, letter] of STEPS) {
    // 999,600 is 1 M, not 1000 k: the rounding decides the letter.
    if (size >= step * 0.9995) return `${(value / step).toFixed(size >= step * 99.95 ? 0 : 1)} ${letter}`;
  }
  return whole(value);
}

/** At most so many digits after the point, and no zeros at the end. */
export function decimal(value: number, digits: number): string {
  if (Math.abs(value) >= 1e18) return astronomic(value);
  const fixed = value.toFixed(digits);
  const text = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return text === '-0' ? '0' : text;
}

/** `0.4 ms`, `853 ms`, `12.4 s`, `2m 53s`, `3h 05m`, `2d 04h` */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`;
  if (milliseconds < 999.5) return `${decimal(milliseconds, milliseconds < 10 ? 1 : 0)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 1e15) return `${compact(milliseconds / 86_400_000)} d`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${twoDigits(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${whole(Math.floor(hours / 24))}d ${twoDigits(hours % 24)}h`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** `$0.0034`, `$0.34`, `$1,234`, `$1.2 M` */
export function dollars(value: number): string {
  if (value < 0) return `-${dollars(-value)}`;
  if (value === 0) return '$0';
  if (value < 0.0995) return `$${decimal(value, Math.min(10, 1 - Math.floor(Math.log10(value))))}`;
  if (value < 999.995) return `$${value.toFixed(2)}`;
  return value < 99_999.5 ? `$${whole(value)}` : `$${compact(value)}`;
}

/** `85.3 %`; what is not quite nothing or everything is never rounded to it. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '<0.1 %';
  if (share < 1 && share >= 0.9995) return '>99.9 %';
  return share === 0 || share === 1 ? `${share * 100} %` : `${(share * 100).toFixed(1)} %`;
}

/** `38.2 MB` */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  for (const [step, unit] of [
    [1e12, 'TB'],
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (value >= step * 0.99995) return `${(value / step).toFixed(1)} ${unit}`;
  }
  return `${value} B`;
}

/** `1 file`, `4 files` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
