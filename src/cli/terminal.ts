import { once } from 'node:events';
import { inertText } from '../render/escape.ts';

/** What the commands need of the process, so that only this folder touches it. */
export interface Terminal {
  write(text: string): Promise<void>;
  complain(line: string): void;
  /** Columns of the terminal that stdout is; 80 where there is none. */
  width: number;
  /** Whether stdout is a terminal, and not a file or a pipe. */
  isScreen: boolean;
  color: boolean;
}

export function terminal(): Terminal {
  const { stdout, stderr, env } = process;
  // A reader that has seen enough (`| head -1`) is no error; a full disk is.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    stderr.write(`cannot write the output: ${error.message}\n`);
    process.exit(2);
  });
  stderr.on('error', () => {});
  return {
    async write(text) {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    complain(line) {
      stderr.write(`${inertText(line)}\n`);
    },
    width: stdout.isTTY ? stdout.columns || 80 : Number(env.COLUMNS) || 80,
    isScreen: stdout.isTTY === true,
    color: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
  };
}
