import yargs from 'yargs';
import { VERSION } from '../version.ts';
import { COMMAND_NAMES, COMMANDS, type CommandInfo, type CommandName, FLAGS, type Flag } from './options.ts';

const EPILOGUE = `PATH is a file, a folder, a quoted glob, or - for standard input; plain, gzip or zstd.
Exit codes: 0 done, 2 usage error, unreadable input, or bad lines beyond --max-errors.`;

/** The help of a command, or of the whole program. */
export function help(command: CommandName | null, width: number): Promise<string> {
  return parser(command, width).getHelp();
}

/** Completion for shells: the script, or with `--get-yargs-completions` the words that fit. */
export function completion(argv: string[]): void {
  parser(null, 80).parse(argv);
}

function parser(only: CommandName | null, width: number) {
  const program = yargs([])
    .scriptName('trajstats')
    .version(VERSION)
    .wrap(Math.min(width, 110))
    .help()
    .strict()
    .epilogue(EPILOGUE);
  if (only) {
    program.usage(`trajstats ${only} [PATH…]\n\n${COMMANDS[only].describe}`);
    addFlags(program, only);
    return program;
  }
  program.usage('trajstats [COMMAND] [PATH…]\n\nFolds agent-trajectory logs into metrics and reports.');
  for (const name of COMMAND_NAMES)
    program.command(name === 'report' ? ['report [PATH…]', '$0'] : `${name} [PATH…]`, COMMANDS[name].describe, (own) =>
      addFlags(own, name),
    );
  program.completion('completion', 'A script that completes commands and flags in your shell');
  return program;
}

function addFlags(program: ReturnType<typeof yargs>, command: CommandName) {
  const info: CommandInfo = COMMANDS[command];
  for (const name of info.flags) {
    const flag: Flag = FLAGS[name];
    program.option(name, {
      type: flag.type,
      describe: flag.describe + (flag.value ? `  [${flag.value}]` : ''),
      choices: name === 'format' ? info.formats : flag.choices,
    });
  }
  for (const [line, meaning] of info.examples) program.example(line, meaning);
  return program;
}
