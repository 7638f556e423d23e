import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochMs, isoTime } from '../../src/stats/epoch-ms.ts';

const instant = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
const pad = (n: number, width = 2) => String(n).padStart(width, '0');

describe('a timestamp', () => {
  test('as JavaScript writes it is read as JavaScript reads it', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        const text = new Date(ms).toISOString();
        expect(epochMs(text)).toBe(ms);
        expect(epochMs(text.replace(/\.\d+/, ''))).toBe(Math.floor(ms / 1000) * 1000);
        expect(isoTime(ms)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('around the ends of months and in leap years', () => {
    for (const year of [1, 1600, 1899, 1900, 1970, 1972, 1999, 2000, 2023, 2024, 2100, 2400, 9999])
      for (let month = 1; month <= 12; month++)
        for (const day of [1, 27, 28, 29, 30, 31]) {
          const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}T23:59:59.500Z`;
          const expected = Date.parse(text);
          expect([text, epochMs(text)]).toEqual([text, Number.isNaN(expected) ? null : expected]);
        }
  });

  test('with an offset is the instant that it names', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat({ max: 14 }), fc.constantFrom(0, 15, 30, 45));
    fc.assert(
      fc.property(instant, offset, fc.constantFrom(':', ''), (ms, [sign, hours, minutes], colon) => {
        const shift = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
        const local = ms + shift;
        fc.pre(local > Date.UTC(1, 0, 1) && local < Date.UTC(9999, 11, 31));
        expect(epochMs(new Date(local).toISOString().replace('Z', `${sign}${pad(hours)}${colon}${pad(minutes)}`))).toBe(
          ms,
        );
      }),
    );
  });

  test('without a zone is UTC, on every machine', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        expect(epochMs(new Date(ms).toISOString().slice(0, -1))).toBe(ms);
        expect(epochMs(new Date(ms).toISOString().slice(0, -1).replace('T', ' '))).toBe(ms);
      }),
    );
    expect(epochMs('2026-01-05')).toBe(Date.UTC(2026, 0, 5));
    expect(epochMs('2026-01-05T10:00')).toBe(Date.UTC(2026, 0, 5, 10));
    expect(epochMs('2026-01')).toBe(Date.UTC(2026, 0));
  });

  test('with a fraction of any length is cut to milliseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
        fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom('Z', '', '+00:00'),
        (ms, digits, zone) => {
          const second = Math.floor(ms / 1000) * 1000;
          const text = `${new Date(second).toISOString().slice(0, 19)}.${digits.join('')}${zone}`;
          expect(epochMs(text)).toBe(second + Number(digits.join('').padEnd(3, '0').slice(0, 3)));
        },
      ),
    );
  });

  test.each([
    '',
    ' ',
    'yesterday',
    '12:00',
    '2026',
    '20260105',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-05T25:00:00Z',
    '2026-01-05T10:60:00Z',
    '2026-01-05T10:00:60Z',
    '2026-01-05T10:00:00.Z',
    '2026-01-05T1a:00:00Z',
    '2026-01-05T10:00:00ZZ',
    'Mon, 05 Jan 2026 10:00:00 GMT',
    '1/5/2026',
    '2026-01-05T10:00:00 nonsense',
    '2026-01-05Tnonsense',
  ])('%j is no timestamp', (text) => {
    expect(epochMs(text)).toBeNull();
  });

  test('that is a number is the milliseconds themselves, as far as a Date goes', () => {
    expect([0, -5, 1_770_000_000_000, 8.64e15].map(epochMs)).toEqual([0, -5, 1_770_000_000_000, 8.64e15]);
    expect([8.64e15 + 1, -8.64e15 - 1, Number.NaN, Number.POSITIVE_INFINITY].map(epochMs)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test.each([[null], [undefined], [true], [{}], [['2026-01-05']]])('%j is no timestamp', (value) => {
    expect(epochMs(value)).toBeNull();
  });

  test.each(['2026-01-05T10', '2026-01-5T10:00:00', '2026-01-05 10:00 PM'])(
    '%j is the same in every time zone, or none',
    (text) => {
      const zone = process.env.TZ;
      const seen = ['UTC', 'America/New_York', 'Asia/Tokyo'].map((name) => {
        process.env.TZ = name;
        return epochMs(text);
      });
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
      expect(new Set(seen).size).toBe(1);
    },
  );
});

test.each([[null], [Number.NaN], [8.64e15 + 1], [Number.POSITIVE_INFINITY]])('%s is no time to write', (ms) => {
  expect(isoTime(ms)).toBeNull();
});
