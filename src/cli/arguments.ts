import { parseArgs } from 'node:util';
import { closestWord } from '../stats/closest.ts';
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandInfo,
  type CommandName,
  FLAGS,
  type Flag,
  type FlagName,
} from './options.ts';
import { UsageError } from './usage-error.ts';

export interface Arguments {
  command: CommandName;
  /** The command was named, not assumed. */
  named: boolean;
  paths: string[];
  values: Partial<Record<FlagName, string | boolean | string[]>>;
  help: boolean;
  version: boolean;
}

/**
 * Reads the command line. Node's own parser does it, because loading yargs takes longer than reading a small log; yargs
 * comes in for help and completion.
 */
export function readArguments(argv: string[]): Arguments {
  const named = COMMAND_NAMES.find((name) => name === argv[0]);
  const command = named ?? 'report';
  const info: CommandInfo = COMMANDS[command];
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'V' },
  };
  for (const name of info.flags) {
    const flag: Flag = FLAGS[name];
    options[name] = { type: flag.type, multiple: flag.repeatable ?? false };
  }
  try {
    const { values, positionals } = parseArgs({
      args: named ? argv.slice(1) : argv,
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    const { help, version, ...rest } = values;
    const result = { command, named: named !== undefined, paths: positionals, values: rest } as Arguments;
    checkChoices(result, info);
    return { ...result, help: help === true, version: version === true };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(explain(error as Error, info));
  }
}

function checkChoices({ values }: Arguments, info: CommandInfo): void {
  for (const name of info.flags) {
    const value = values[name];
    const choices = name === 'format' ? info.formats : (FLAGS[name] as Flag).choices;
    if (typeof value !== 'string' || !choices || choices.includes(value)) continue;
    const meant = closestWord(value, choices);
    const hint = meant ? `; did you mean ${meant}?` : '';
    throw new UsageError(`--${name} takes ${choices.join(', ')}, not ${JSON.stringify(value)}${hint}`);
  }
}

function explain(error: Error & { code?: string }, info: CommandInfo): string {
  const option = /'?(--?[^'\s]+)/.exec(error.message)?.[1] ?? '';
  if (error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return error.message.split('\n')[0];
  const known = [...info.flags, 'help', 'version'];
  const meant = closestWord(option.replace(/^-+/, ''), known);
  return `unknown flag ${option}${meant ? `; did you mean --${meant}?` : ''}`;
}

/** A first path that is no file may be a command with a slip in it. */
export function meantCommand(path: string): string | null {
  return /^[a-z]+$/.test(path) ? closestWord(path, [...COMMAND_NAMES, 'completion']) : null;
}
