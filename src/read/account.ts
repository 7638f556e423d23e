import { compareText, hashName } from '../fold/names.ts';
import type { Problem } from '../model/problem.ts';
import type { InputAccount } from '../model/report.ts';

/** What became of every line. Accounts of parts of the input add up, in the order of the input. */
export interface Account extends Omit<InputAccount, 'skipped'> {
  skipped: Map<string, number>;
  /** All problems, also those beyond the first few that are kept. */
  problemCount: number;
  /** Inputs that could not be read, or not to their end. */
  unreadable: number;
}

export const PROBLEMS_KEPT = 10;

export function newAccount(): Account {
  return {
    files: 0,
    bytes: 0,
    lines: 0,
    good: 0,
    bad: 0,
    blank: 0,
    trajectories: 0,
    skipped: new Map(),
    duplicates: 0,
    truncatedTails: 0,
    problems: [],
    problemCount: 0,
    unreadable: 0,
  };
}

export function addProblem(account: Account, problem: Problem): void {
  account.problemCount++;
  if (account.problems.length < PROBLEMS_KEPT) account.problems.push(problem);
}

/** More types than this are no types: a bound on what a hostile log can make us remember. */
const TYPES_KEPT = 100;
const TYPE_LENGTH = 100;
const OTHER = '(other)';

export function addSkipped(account: Account, name: string, count = 1): void {
  const type = name.length > TYPE_LENGTH ? `${name.slice(0, TYPE_LENGTH)}…` : name;
  addTo(account.skipped, type, count);
  if (account.skipped.size > 2 * TYPES_KEPT) account.skipped = skippedTypes(account);
}

/**
 * The types that are told of, and `(other)` for the rest. Kept are those with the smallest hashes, as in `fold/capped.ts`,
 * so that it depends on the set of types alone and not on the parts that the input was read in.
 */
export function skippedTypes({ skipped }: Account): Map<string, number> {
  if (skipped.size <= TYPES_KEPT) return skipped;
  const ranked = [...skipped.keys()]
    .filter((type) => type !== OTHER)
    .map((type) => ({ type, hash: hashName(type) }))
    .sort((a, b) => a.hash - b.hash || compareText(a.type, b.type));
  const kept = new Set(ranked.slice(0, TYPES_KEPT).map(({ type }) => type));
  const types = new Map<string, number>();
  for (const [type, count] of skipped) addTo(types, kept.has(type) ? type : OTHER, count);
  return types;
}

function addTo(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

export function mergeAccounts(left: Account, right: Account): Account {
  for (const key of COUNTS) left[key] += right[key];
  for (const [type, count] of right.skipped) addSkipped(left, type, count);
  left.problems.push(...right.problems.slice(0, PROBLEMS_KEPT - left.problems.length));
  return left;
}

const COUNTS = [
  'files',
  'bytes',
  'lines',
  'good',
  'bad',
  'blank',
  'trajectories',
  'duplicates',
  'truncatedTails',
  'problemCount',
  'unreadable',
] as const;

/** The account as reports show it. */
export function inputAccount(account: Account): InputAccount {
  const { skipped: _, problemCount, unreadable, ...shown } = account;
  const types = [...skippedTypes(account)].sort(([a], [b]) => (a < b ? -1 : 1));
  const { files, bytes, lines, good, bad, blank, trajectories, duplicates, truncatedTails, problems } = shown;
  return {
    files,
    bytes,
    lines,
    good,
    bad,
    blank,
    trajectories,
    skipped: Object.fromEntries(types),
    duplicates,
    truncatedTails,
    problems,
  };
}
