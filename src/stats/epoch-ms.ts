/** The last millisecond that a Date can tell. */
const LATEST = 8.64e15;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Milliseconds since 1970 of a timestamp as logs write it: ISO 8601, or null for anything else. A time without a zone
 * is taken as UTC, because the same log must give the same numbers on every machine. A number is taken for the
 * milliseconds themselves.
 */
export function epochMs(timestamp: unknown): number | null {
  if (typeof timestamp === 'number') return Math.abs(timestamp) <= LATEST ? timestamp : null;
  if (typeof timestamp !== 'string') return null;
  const fast = utcMilliseconds(timestamp);
  if (fast !== null) return fast;
  if (!/^\s*[+-]?\d{4,6}-\d\d(-\d\d)?(?:[T ]|\s*$)/.test(timestamp)) return null;
  const text = timestamp.trim().replace(' ', 'T');
  const time = Date.parse(text.length > 10 && !ZONE.test(text) ? `${text}Z` : text);
  return Number.isFinite(time) ? time : null;
}

/** The form nearly all logs use, `2026-01-05T10:00:00[.000]Z`, several times faster than Date.parse. */
function utcMilliseconds(text: string): number | null {
  const { length } = text;
  if ((length !== 24 && length !== 20) || text.charCodeAt(length - 1) !== 0x5a) return null;
  if (
    text.charCodeAt(4) !== 0x2d ||
    text.charCodeAt(7) !== 0x2d ||
    text.charCodeAt(10) !== 0x54 ||
    text.charCodeAt(13) !== 0x3a ||
    text.charCodeAt(16) !== 0x3a
  )
    return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const milli = length === 24 ? (text.charCodeAt(19) === 0x2e ? digits(text, 20, 23) : -1) : 0;
  // The odd cases (leap days, hour 24, bad digits) are left to Date.parse.
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 28) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0) return null;
  return daysFromCivil(year, month, day) * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + milli;
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's algorithm: years that begin in March). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The other way: ISO 8601 in UTC, or null where a number is no time. */
export function isoTime(ms: number | null): string | null {
  return ms !== null && Math.abs(ms) <= LATEST ? new Date(ms).toISOString() : null;
}
