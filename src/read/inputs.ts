import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { type AskForRoom, stdinBytes } from './bytes.ts';
import { expandGlob, isGlob } from './glob.ts';

/** A piece of work. Files are plain data, so that they can be handed to a worker. */
export type Input = StreamInput | FileInput | RunsInput;

/** Bytes that come once: standard input, or whatever a program hands to the library. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface StreamInput {
  kind: 'stream';
  /** As rows and problems name it; "-" is standard input. */
  path: string;
  /** The bytes; or how to read them, into rooms if there are some. */
  chunks: Chunks | ((room: AskForRoom) => Chunks);
}

export interface FileInput {
  kind: 'file';
  path: string;
  /** The user named this file, so it has to be a log; a file found in a folder may be something else. */
  named: boolean;
  bytes: number;
  /** Only the lines that begin in this part of the file; what the file is, is known by then. */
  range?: { start: number; end: number; format: 'vally' | 'sdk' | 'rows' };
  /** Another thread scans it, or this part of it, ahead. */
  scannedAhead?: true;
}

/** A folder of forecast runs, or one run: files that belong together. */
export interface RunsInput {
  kind: 'runs';
  summary: FileInput | null;
  runs: RunFolder[];
}

export interface RunFolder {
  /** What a row of this run names as its source: the folder, or the one file that the user named. */
  path: string;
  name: string;
  files: FileInput[];
}

/** A path, or bytes that a program has at hand. */
export type Given = string | { name?: string; chunks: Chunks };

export interface Unreadable {
  path: string;
  message: string;
}

export interface Inputs {
  inputs: Input[];
  unreadable: Unreadable[];
}

const LOG_NAME = /\.(jsonl|ndjson|json)(\.(gz|zst))?$/i;
const RUN_FILES = ['info.json', 'trajectory.json', 'sources.json'];

/** What the user's paths stand for, in a stable order: the paths as given, the files of a folder by name. */
export function findInputs(paths: Given[]): Inputs {
  const found: Inputs = { inputs: [], unreadable: [] };
  for (const given of paths) {
    if (typeof given !== 'string') found.inputs.push({ kind: 'stream', path: given.name ?? '-', chunks: given.chunks });
    else if (given === '-') found.inputs.push({ kind: 'stream', path: '-', chunks: stdinBytes });
    else if (exists(given) || !isGlob(given)) addPath(given, found);
    else {
      const matches = expandGlob(given);
      if (matches.length === 0) found.unreadable.push({ path: given, message: 'no file matches this pattern' });
      const all = new Set(matches);
      for (const match of matches) if (!isBelow(match, all)) addPath(match, found);
    }
  }
  return found;
}

/** Whether a folder that matches as well holds this, and reads it: `**` names both. */
function isBelow(match: string, matches: Set<string>): boolean {
  for (let folder = path.dirname(match); ; folder = path.dirname(folder)) {
    if (folder !== match && matches.has(folder)) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

function exists(given: string): boolean {
  try {
    statSync(given);
    return true;
  } catch {
    return false;
  }
}

function addPath(given: string, found: Inputs): void {
  let stats: Stats;
  try {
    stats = statSync(given);
  } catch (error) {
    found.unreadable.push({ path: given, message: reasonOf(error) });
    return;
  }
  if (stats.isDirectory()) {
    const before = found.inputs.length;
    const refused = found.unreadable.length;
    walk(given, found);
    if (found.inputs.length === before && found.unreadable.length === refused)
      found.unreadable.push({ path: given, message: 'no logs in this folder (looked for .jsonl and .json files)' });
  } else if (stats.isSocket()) {
    found.unreadable.push({ path: given, message: 'a socket, not a file' });
  } else {
    const file: FileInput = { kind: 'file', path: given, named: true, bytes: stats.isFile() ? stats.size : 0 };
    found.inputs.push(isRunFile(path.basename(given)) ? loneRunFile(file) : file);
  }
}

function isRunFile(name: string): boolean {
  return RUN_FILES.includes(name.replace(/\.(gz|zst)$/, ''));
}

/** A file of a forecast run that the user names by itself: the run is called like its folder. */
function loneRunFile(file: FileInput): RunsInput {
  const name = path.basename(path.dirname(path.resolve(file.path)));
  return { kind: 'runs', summary: null, runs: [{ path: file.path, name, files: [file] }] };
}

interface Listing {
  /** In order of their names. */
  names: string[];
  logs: Set<string>;
  folders: Set<string>;
}

/** Links inside a folder are not followed: they lead in circles, or to logs that are not part of it. */
function listing(folder: string, found: Inputs): Listing | null {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    found.unreadable.push({ path: folder, message: reasonOf(error) });
    return null;
  }
  const named = (wanted: Dirent[]) => wanted.map(({ name }) => name).sort();
  const logs = named(entries.filter((entry) => entry.isFile() && LOG_NAME.test(entry.name)));
  // A name that is not UTF-8 was changed on its way here, and nothing is found by it.
  for (const name of logs.filter((log) => log.includes('\ufffd') && !exists(path.join(folder, log))))
    found.unreadable.push({
      path: path.join(folder, name),
      message: 'its name is not UTF-8; rename it to have it read',
    });
  return {
    names: named(entries),
    logs: new Set(logs),
    folders: new Set(named(entries.filter((entry) => entry.isDirectory()))),
  };
}

function walk(folder: string, found: Inputs): void {
  const listed = listing(folder, found);
  if (!listed) return;
  const { names, logs, folders } = listed;
  const taken = new Set<string>();
  const [summaryName] = ways('summary.json', logs);
  if (summaryName && folders.has('runs')) {
    const summary = foundFile(folder, summaryName);
    if (summary) addRuns(summary, path.join(folder, 'runs'), found);
    for (const name of [...ways('summary.json', logs), 'runs']) taken.add(name);
  }
  const run = runFolder(folder, logs);
  if (run) {
    found.inputs.push({ kind: 'runs', summary: null, runs: [run] });
    for (const name of RUN_FILES.flatMap((file) => ways(file, logs))) taken.add(name);
  }
  // The folder `trials` beside a trials file holds that file's trajectories, which are read through it.
  if ([...logs].some((name) => name.toLowerCase().includes('.trials.json'))) taken.add('trials');
  for (const name of names) {
    if (taken.has(name)) continue;
    if (folders.has(name)) walk(path.join(folder, name), found);
    else if (logs.has(name)) pushFile(folder, name, found);
  }
}

/** The runs of an evaluation as one set; what else lies among them is walked like anything. */
function addRuns(summary: FileInput, folder: string, found: Inputs): void {
  const runs: RunFolder[] = [];
  found.inputs.push({ kind: 'runs', summary, runs });
  const listed = listing(folder, found);
  for (const name of listed?.names ?? []) {
    const below = path.join(folder, name);
    if (listed?.logs.has(name)) pushFile(folder, name, found);
    else if (listed?.folders.has(name)) {
      const files = listing(below, found);
      const run = files && runFolder(below, files.logs);
      if (run) runs.push(run);
      else if (files) walk(below, found);
    }
  }
}

function runFolder(folder: string, logs: Set<string>): RunFolder | null {
  // The info comes first: it names the model, which the trajectory's events belong to.
  const files = RUN_FILES.flatMap((name) => ways(name, logs).slice(0, 1)).flatMap(
    (name) => foundFile(folder, name) ?? [],
  );
  return files.length > 0 ? { path: folder, name: path.basename(path.resolve(folder)), files } : null;
}

/** A file as it is, and compressed: those that are there, the plain one first. */
function ways(name: string, logs: Set<string>): string[] {
  return [name, `${name}.gz`, `${name}.zst`].filter((way) => logs.has(way));
}

function pushFile(folder: string, name: string, found: Inputs): void {
  const file = foundFile(folder, name);
  if (file) found.inputs.push(file);
}

/** A file may vanish between the listing and now; then it was never there. */
function foundFile(folder: string, name: string): FileInput | null {
  const file = path.join(folder, name);
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? { kind: 'file', path: file, named: false, bytes: stats.size } : null;
}

/** The bytes that are to be read, for the progress line; stdin counts as none. */
export function totalBytes(inputs: Input[]): number {
  let total = 0;
  for (const input of inputs) {
    if (input.kind === 'file') total += input.bytes;
    else if (input.kind === 'runs')
      for (const file of [...(input.summary ? [input.summary] : []), ...input.runs.flatMap((run) => run.files)])
        total += file.bytes;
  }
  return total;
}

/** What the system says, in words. */
export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'a folder, not a file';
    case 'ELOOP':
      return 'links that lead in a circle';
    default:
      return (error as Error).message;
  }
}
