import { fstatSync, statSync, writeSync } from 'node:fs';
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

const STDOUT = 1;
const STDERR = 2;
type Stream = typeof STDOUT | typeof STDERR;

export function terminal(): Terminal {
  const { env } = process;
  const isScreen = isTerminal(STDOUT);
  return {
    async write(text) {
      try {
        await put(STDOUT, text);
      } catch (error) {
        // A reader that has seen enough (`| head -1`) is no error; a full disk is.
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EPIPE') process.exit(0);
        complain(`cannot write the output: ${message}`);
        process.exit(2);
      }
    },
    complain,
    width: (isScreen ? process.stdout.columns : Number(env.COLUMNS)) || 80,
    isScreen,
    color: isScreen && !env.NO_COLOR && env.TERM !== 'dumb',
  };
}

/**
 * Whether a stream is a terminal. Files, pipes and /dev/null are told from it without `process.stdout`, because what Node
 * loads to make that takes as long as reading a small log.
 */
export function isTerminal(stream: Stream): boolean {
  known[stream] ??= isDevice(stream) && streamOf(stream).isTTY === true;
  return known[stream];
}

const known: { [stream in Stream]?: boolean } = {};

function complain(line: string): void {
  // Nobody is there to be told that nobody can be told.
  put(STDERR, `${inertText(line)}\n`).catch(() => {});
}

async function put(stream: Stream, text: string): Promise<void> {
  if (!isTerminal(stream)) return writeAll(stream, Buffer.from(text));
  const screen = streamOf(stream);
  // The error comes to whoever wrote; without a listener it would also end the process.
  if (screen.listenerCount('error') === 0) screen.on('error', () => {});
  await new Promise<void>((resolve, reject) => screen.write(text, (error) => (error ? reject(error) : resolve())));
}

function streamOf(stream: Stream): NodeJS.WriteStream {
  return stream === STDOUT ? process.stdout : process.stderr;
}

function isDevice(stream: number): boolean {
  try {
    const stats = fstatSync(stream);
    return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
  } catch {
    return false;
  }
}

const PAUSE_MS = 5;
const nothing = new Int32Array(new SharedArrayBuffer(4));

function writeAll(stream: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(stream, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // Somebody made the pipe non-blocking, and its reader is slow.
      Atomics.wait(nothing, 0, 0, PAUSE_MS);
    }
  }
}
