/** Numbers that the fast path leaves: long, with an exponent, or over the border of two inputs. */
import { arenaEnd, arenaPut, Step } from './text';

const enum Part {
  Start,
  AfterMinus,
  AfterZero,
  Integer,
  AfterPoint,
  Fraction,
  AfterE,
  AfterSign,
  Exponent,
}

/** A double never depends on more significant digits than this, except on whether any of the rest is not zero. */
const MAX_DIGITS: i32 = 780;
const digits: usize = memory.data(780);
const EXPONENT_LIMIT: i64 = 1_000_000_000_000;

let part: Part = Part.Start;
let wanted: bool = false;
let negative: bool = false;
let digitCount: i32 = 0;
let moreThanDigits: bool = false;
/** Of the last digit kept. */
let exponent: i64 = 0;
let writtenExponent: i64 = 0;
let exponentNegative: bool = false;

export let numberStep: Step = Step.Done;

export function beginNumber(isWanted: bool): void {
  part = Part.Start;
  wanted = isWanted;
  negative = false;
  digitCount = 0;
  moreThanDigits = false;
  exponent = 0;
  writtenExponent = 0;
  exponentNegative = false;
}

/** What has been read so far is a whole number. */
export function numberIsWhole(): bool {
  return part == Part.AfterZero || part == Part.Integer || part == Part.Fraction || part == Part.Exponent;
}

/** Returns the place after the number, or where it stopped. */
export function goOnNumber(p: usize, limit: usize): usize {
  while (true) {
    const byte = load<u8>(p);
    const digit = <u32>byte - 0x30;
    if (digit <= 9) {
      switch (part) {
        case Part.Start:
        case Part.AfterMinus:
          part = digit ? Part.Integer : Part.AfterZero;
          if (digit) integerDigit(digit);
          break;
        case Part.AfterZero:
          numberStep = Step.Done;
          return p;
        case Part.Integer:
          integerDigit(digit);
          break;
        case Part.AfterPoint:
        case Part.Fraction:
          part = Part.Fraction;
          fractionDigit(digit);
          break;
        default:
          part = Part.Exponent;
          if (writtenExponent < EXPONENT_LIMIT) writtenExponent = writtenExponent * 10 + digit;
      }
    } else if (byte == 0x2d && part == Part.Start) {
      negative = true;
      part = Part.AfterMinus;
    } else if ((byte == 0x2d || byte == 0x2b) && part == Part.AfterE) {
      exponentNegative = byte == 0x2d;
      part = Part.AfterSign;
    } else if (byte == 0x2e && (part == Part.AfterZero || part == Part.Integer)) part = Part.AfterPoint;
    else if ((byte | 0x20) == 0x65 && (part == Part.AfterZero || part == Part.Integer || part == Part.Fraction))
      part = Part.AfterE;
    else {
      numberStep = p == limit ? Step.More : numberIsWhole() ? Step.Done : Step.Failed;
      return p;
    }
    p++;
  }
}

function integerDigit(digit: u32): void {
  if (!wanted) return;
  if (digitCount < MAX_DIGITS) store<u8>(digits + digitCount++, <u8>(0x30 + digit));
  else {
    exponent++;
    if (digit) moreThanDigits = true;
  }
}

function fractionDigit(digit: u32): void {
  if (!wanted) return;
  if (digitCount < MAX_DIGITS) {
    exponent--;
    if (digit || digitCount) store<u8>(digits + digitCount++, <u8>(0x30 + digit));
  } else if (digit) moreThanDigits = true;
}

/** Respells the number into the arena, short and with the same value; returns where it begins. */
export function respellNumber(): usize {
  const start = arenaEnd();
  if (negative) arenaPut(0x2d);
  for (let i = 0; i < digitCount; i++) arenaPut(load<u8>(digits + i));
  if (digitCount == 0) {
    arenaPut(0x30);
    return start;
  }
  let total = exponent + (exponentNegative ? -writtenExponent : writtenExponent);
  if (moreThanDigits) {
    arenaPut(0x31);
    total--;
  }
  arenaPut(0x65);
  putInteger(total);
  return start;
}

function putInteger(value: i64): void {
  if (value < 0) {
    arenaPut(0x2d);
    value = -value;
  }
  if (value >= 10) putInteger(value / 10);
  arenaPut(<u8>(0x30 + (value % 10)));
}
