import { VERSION } from '../version.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { CommandName } from './options.ts';
import { type Terminal, terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Asked by number: `process.stdin` would make the pipe non-blocking, and reading from it many times slower. */
const STDIN = 0;

interface Command {
  run(given: Arguments, terminal: Terminal): Promise<number>;
}

/** Loaded only when they are called, so that small inputs are answered fast. */
const COMMAND: Record<CommandName, () => Promise<Command>> = {
  report: () => import('./commands/report.ts'),
  metrics: () => import('./commands/metrics.ts'),
  events: () => import('./commands/events.ts'),
};

export { readArguments };

/** Runs the program; gives its exit code. */
export async function main(argv: string[]): Promise<number> {
  const screen = terminal();
  if (argv[0] === 'completion' || argv.includes('--get-yargs-completions')) {
    (await import('./help.ts')).completion(argv);
    return 0;
  }
  try {
    const given = readArguments(argv);
    if (given.version) {
      await screen.write(`${VERSION}\n`);
      return 0;
    }
    const { help } = given;
    // Without a path the logs come from standard input, and a person at a terminal would wait for ever.
    if (help || (given.paths.length === 0 && (await import('node:tty')).isatty(STDIN))) {
      const text = await (await import('./help.ts')).help(given.named ? given.command : null, screen.width);
      if (help) await screen.write(`${text}\n`);
      else for (const line of text.split('\n')) screen.complain(line);
      return help ? 0 : 2;
    }
    const command = await COMMAND[given.command]();
    return await command.run(given, screen);
  } catch (error) {
    // Not thrown on, because Node would end with 1, which says that a check has found something.
    if (!(error instanceof UsageError)) for (const line of stackOf(error)) screen.complain(line);
    else {
      screen.complain(`trajstats: ${error.message}`);
      screen.complain('trajstats --help shows what there is.');
    }
    return 2;
  }
}

function stackOf(error: unknown): string[] {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `trajstats failed: ${text}`.split('\n');
}
