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

export function addSkipped(account: Account, name: string, count = 1): void {
  const short = name.length > TYPE_LENGTH ? `${name.slice(0, TYPE_LENGTH)}…` : name;
  const type = account.skipped.has(short) || account.skipped.size < TYPES_KEPT ? short : '(other)';
  account.skipped.set(type, (account.skipped.get(type) ?? 0) + count);
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
  const { skipped, problemCount, unreadable, ...shown } = account;
  const types = [...skipped].sort(([a], [b]) => (a < b ? -1 : 1));
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
