/** Times as nearly all logs write them: `2026-01-05T10:00:00[.000]Z`. The same as in src/stats/epoch-ms.ts. */

@inline
function digits(at: usize, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) {
    const digit = <u32>load<u8>(at + i) - 0x30;
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** The last minute that was read, as it stands in the text: most times of a log are within a minute of the one before. */
let minuteText: v128 = i32x4.splat(0);
let minute: f64 = NaN;

/** NaN for any other form, and for the odd cases (leap days, hour 24), which are left to JavaScript. */
export function utcMilliseconds(text: usize, length: usize): f64 {
  if ((length != 24 && length != 20) || load<u8>(text + length - 1) != 0x5a || load<u8>(text, 16) != 0x3a) return NaN;
  const own = v128.load(text);
  if (v128.any_true(v128.xor(own, minuteText))) {
    minuteText = own;
    minute = utcMinute(text);
  }
  const second = digits(text + 17, 2);
  const milli = length == 24 ? (load<u8>(text, 19) == 0x2e ? digits(text + 20, 3) : -1) : 0;
  if (second < 0 || second > 59 || milli < 0) return NaN;
  return minute + <f64>(second * 1000 + milli);
}

/** Of the first sixteen characters. */
function utcMinute(text: usize): f64 {
  if (load<u8>(text, 4) != 0x2d || load<u8>(text, 7) != 0x2d || load<u8>(text, 10) != 0x54 || load<u8>(text, 13) != 0x3a)
    return NaN;
  const year = digits(text, 4);
  const month = digits(text + 5, 2);
  const day = digits(text + 8, 2);
  const hour = digits(text + 11, 2);
  const minute = digits(text + 14, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 28) return NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NaN;
  // Days since 1970-01-01 in the Gregorian calendar, in years that begin in March (Howard Hinnant).
  const shifted = month <= 2 ? year - 1 : year;
  const era = shifted / 400;
  const yearOfEra = shifted - era * 400;
  const dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const days = era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
  return <f64>days * 86400000 + <f64>(hour * 3600000 + minute * 60000);
}
