import { parseWhere } from '../aggregate/where.ts';
import type { Options } from '../api.ts';
import type { InputFormat } from '../formats/detect.ts';
import type { ParserName } from '../parse/choose.ts';
import { type Account, skippedTypes } from '../read/account.ts';
import { findInputs, totalBytes } from '../read/inputs.ts';
import type { Arguments } from './arguments.ts';
import { meantCommand } from './arguments.ts';
import { Progress } from './progress.ts';
import { refuseInput } from './refuse-input.ts';
import { RejectsFile } from './rejects.ts';
import { isTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** What the commands that read logs have in common: options in, progress while it runs, problems and exit code after. */
export interface LogRun {
  paths: string[];
  options: Options;
  /** Tells the problems, and gives the exit code. */
  finish(account: Account): number;
}

export function logRun(given: Arguments, terminal: Terminal): LogRun {
  const { values } = given;
  const paths = given.paths.length > 0 ? given.paths : ['-'];
  const tolerated = maxErrors(values['max-errors'] as string | undefined);
  const progress = wantsProgress(values) ? new Progress(totalBytes(findInputs(paths).inputs), process.stderr) : null;
  for (const file of [values.rejects ?? [], values.out ?? []].flat()) refuseInput(file as string, paths);
  const rejects = typeof values.rejects === 'string' ? new RejectsFile(values.rejects) : null;
  return {
    paths,
    options: {
      inputFormat: values['input-format'] as InputFormat | undefined,
      jobs: count('jobs', values.jobs),
      // It is best served by one of Node's threads, which then has the next thing to do at hand.
      onReadingAlone: () => {
        process.env.UV_THREADPOOL_SIZE ??= '1';
      },
      // For tests, which cannot wait for gigabytes.
      bytesPerThread: Number(process.env.TRAJSTATS_BYTES_PER_THREAD) || undefined,
      parser: values.parser as ParserName | undefined,
      maxValueBytes: count('max-value-bytes', values['max-value-bytes']),
      maxExpansion: count('max-expansion', values['max-expansion']),
      where: ((values.where as string[] | undefined) ?? []).map(readWhere),
      dedupe: values.dedupe === true,
      onReject: rejects ? (reject) => rejects.add(reject) : undefined,
      onProgress: progress ? (bytes, trajectories) => progress.add(bytes, trajectories) : undefined,
    },
    finish(account) {
      progress?.clear();
      rejects?.close();
      if (!values.quiet) tellProblems(account, given, terminal);
      return account.unreadable > 0 || !tolerated(account) ? 2 : 0;
    },
  };
}

function tellProblems(account: Account, given: Arguments, terminal: Terminal): void {
  for (const { path, line, message } of account.problems)
    terminal.complain(`${path === '-' ? '(stdin)' : path}${line === null ? '' : `:${line}`}: ${message}`);
  const more = account.problemCount - account.problems.length;
  if (more > 0) terminal.complain(`… and ${more} more ${more === 1 ? 'problem' : 'problems'}`);
  if (account.trajectories === 0 && account.good > 0 && account.problemCount === 0)
    terminal.complain(`${given.paths.join(' ') || '(stdin)'}: no trajectories, only ${skippedRecords(account)}`);
  const meant = given.named || account.files > 0 ? null : meantCommand(given.paths[0] ?? '');
  if (meant) terminal.complain(`did you mean the command: trajstats ${meant}?`);
}

function skippedRecords(account: Account): string {
  return [...skippedTypes(account)].map(([type, count]) => `${count} ${type}`).join(', ') || 'empty lists';
}

function wantsProgress(values: Arguments['values']): boolean {
  if (values.quiet) return false;
  return values.progress === undefined ? isTerminal(2) : values.progress === true;
}

function readWhere(text: string) {
  try {
    return parseWhere(text);
  } catch (error) {
    throw new UsageError(`--where: ${(error as Error).message}`);
  }
}

export function count(flag: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || value === '')
    throw new UsageError(`--${flag} takes a whole number above zero, not ${JSON.stringify(value)}`);
  return number;
}

/** Whether the bad lines are few enough. */
function maxErrors(value: string | undefined): (account: Account) => boolean {
  const parts = /^(\d+(?:\.\d+)?)(%?)$/.exec(value ?? '0');
  if (!parts) throw new UsageError(`--max-errors takes a number or a percentage, not ${JSON.stringify(value)}`);
  const limit = Number(parts[1]);
  if (!parts[2]) return ({ bad }) => bad <= limit;
  return ({ bad, good }) => bad === 0 || (100 * bad) / (good + bad) <= limit;
}
