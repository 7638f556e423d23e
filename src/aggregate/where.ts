import type { TrajectoryRow } from '../model/row.ts';
import { closestWord } from '../stats/closest.ts';
import { ROW_FIELDS, type RowField, rowField } from './row-field.ts';

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~';

/** A condition on rows. Plain data, so that it can go to a worker thread. */
export interface Where {
  field: string;
  operator: Operator;
  /** Milliseconds for times; a regular expression for `~`. */
  value: string | number | null | RegExp;
}

/**
 * Reads `FIELD OP VALUE`, as in `model = claude-sonnet-4`, `wallTimeMs > 60000`, `task ~ "^web/"`, `costUsd != null`.
 * The value may stand in quotes, and has to where the text null is meant. Throws an error that says what was expected.
 */
export function parseWhere(condition: string): Where {
  // The field is all before the first operator, so tools and scores may have spaces in their names.
  const [, name, operator, given] = /^\s*([^=!<>~]*[^=!<>~\s])\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*$/s.exec(condition) ?? [];
  if (name === undefined || given === '' || /^[=~]/.test(given!))
    throw new Error(`--where: expected FIELD OP VALUE with one of = != < <= > >= ~, got '${condition}'`);
  const field = rowField(name);
  if (field === null) throw new Error(`--where: unknown field '${name}'${advice(name)}`);
  return { field: name, operator: operator as Operator, value: parseValue(field, name, operator as Operator, given!) };
}

/** Whether the row meets all conditions. Null equals only null, and is neither less nor greater than anything. */
export function matches(where: readonly Where[], row: TrajectoryRow): boolean {
  return where.every((condition) => holds(condition, row));
}

function holds({ field: name, operator, value }: Where, row: TrajectoryRow): boolean {
  const field = rowField(name)!;
  const raw = field.read(row);
  // A regular expression is the user's own, on the user's own machine: one that takes forever is theirs to change.
  if (value instanceof RegExp) return raw !== null && value.test(String(raw));
  const actual = field.kind === 'time' && raw !== null ? Date.parse(raw as string) : raw;
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  if (actual === null || value === null) return false;
  if (operator === '<') return actual < value;
  if (operator === '<=') return actual <= value;
  return operator === '>' ? actual > value : actual >= value;
}

function parseValue({ kind }: RowField, name: string, operator: Operator, given: string): Where['value'] {
  const quoted = /^(["'])(.*)\1$/s.exec(given);
  const text = quoted ? quoted[2] : given;
  if (operator === '~') return parsePattern(text);
  if (!quoted && text === 'null') {
    if (operator === '=' || operator === '!=') return null;
    throw new Error(
      `--where: null is neither less nor greater than anything; use = or != in '${name} ${operator} null'`,
    );
  }
  if (kind === 'text') return text;
  const value = kind === 'time' ? parseTime(text) : text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value))
    throw new Error(
      `--where: expected a ${kind === 'time' ? 'date or time (ISO 8601)' : 'number'} for '${name}', got '${text}'`,
    );
  return value;
}

/** ISO 8601 only; in UTC where no zone is given, since a report must not depend on where it is made. */
function parseTime(text: string): number {
  if (!/^\d{4}(-\d\d(-\d\d(T\S+)?)?)?$/.test(text)) return Number.NaN;
  return Date.parse(/T[^Z+-]*$/i.test(text) ? `${text}Z` : text);
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch (error) {
    throw new Error(`--where: ${(error as Error).message}`);
  }
}

function advice(name: string): string {
  const part = (field: string) => name.length > 2 && field.toLowerCase().includes(name.toLowerCase());
  const meant = closestWord(name, ROW_FIELDS) ?? ROW_FIELDS.find(part) ?? null;
  return meant === null
    ? `; fields are ${ROW_FIELDS.join(', ')}, scores.NAME, tools.NAME`
    : `, did you mean '${meant}'?`;
}
