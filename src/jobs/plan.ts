import { Detection, HEAD_BYTES } from '../formats/detect.ts';
import { nextLine, readHead } from '../read/bytes.ts';
import type { FileInput, Input, Inputs } from '../read/inputs.ts';
import { totalBytes } from '../read/inputs.ts';

/** A share of the input that one thread reads, in the order of the input. */
export interface Task {
  inputs: Input[];
  /** Where the first input is a part of a file: its lines are counted from the part's start. */
  continues: boolean;
}

/**
 * Below this much for each, one more thread is no gain: it has to load the program and to optimise it once more, which
 * keeps a core busy for as long as reading some hundred megabytes does.
 */
export const BYTES_PER_THREAD = 512 * 1024 * 1024;
/** Of what a thread that folds is started for: to start one that only scans takes less. */
const WORTH_SCANNING_AHEAD = 1 / 4;
/** Of a file that is scanned ahead, what the main thread does alone. */
const SHARE_ALONE = 0.08;
/** What opening a file costs, in bytes that could be read meanwhile. */
const BYTES_PER_FILE = 256 * 1024;
/** Parts for each thread, some, to share the work evenly, and few, since what each gives has to be merged. */
const PARTS_PER_THREAD = 4;
/** Of what a thread is started for. */
const SMALLEST_PART = 1 / 16;
/** Many small files go together, so that a message is worth sending. */
const FILES_PER_TASK = 64;

export interface Plan {
  threads: number;
  /** In the order of the input. */
  tasks: Task[];
  /** One thread scans and one folds: for a single file and two threads that is better than half of the file for each. */
  scanAhead: boolean;
}

/**
 * Cuts the input into tasks. Only files of lines can be cut, at their newlines; an array of trials is one JSON value, in
 * which nobody can tell from the middle where an element begins, and a compressed file has no middle at all.
 */
export function planTasks(
  { inputs }: Inputs,
  jobs: number,
  cutFiles: boolean,
  bytesPerThread = BYTES_PER_THREAD,
  mayScanAhead = false,
): Plan {
  const weight = totalBytes(inputs) + inputs.length * BYTES_PER_FILE;
  const threads = Math.max(1, Math.min(jobs, Math.floor(weight / bytesPerThread)));
  const [input] = inputs;
  const scanAhead = mayScanAhead && jobs > 1 && threads < 3 && weight >= bytesPerThread * WORTH_SCANNING_AHEAD;
  if (scanAhead && inputs.length === 1 && input.kind === 'file')
    return { threads: 2, tasks: tasksToScanAhead(input, cutFiles), scanAhead: true };
  if (threads === 1) return { threads, tasks: [{ inputs, continues: false }], scanAhead: false };
  const smallest = bytesPerThread * SMALLEST_PART;
  const tasks: Task[] = [];
  let group: Input[] = [];
  let bytes = 0;
  const flush = () => {
    if (group.length > 0) tasks.push({ inputs: group, continues: false });
    group = [];
    bytes = 0;
  };
  for (const input of inputs) {
    const parts = cutFiles && input.kind === 'file' ? cutFile(input, threads, smallest) : null;
    if (parts) {
      flush();
      for (const part of parts) tasks.push({ inputs: [part], continues: part.range?.start !== 0 });
      continue;
    }
    group.push(input);
    bytes += totalBytes([input]);
    if (bytes >= smallest || group.length >= FILES_PER_TASK) flush();
  }
  flush();
  return { threads: Math.min(threads, tasks.length), tasks, scanAhead: false };
}

/**
 * A part of the file for the main thread alone, while the one that scans gets ready, and the rest for both. The main
 * thread has more to do, so that it should not do alone what the other could.
 */
function tasksToScanAhead(file: FileInput, cutFiles: boolean): Task[] {
  const format = cutFiles ? lineFormatOf(file) : null;
  const border = format ? nextLine(file.path, Math.floor(file.bytes * SHARE_ALONE)) : null;
  if (!format || border === null) return [{ inputs: [{ ...file, scannedAhead: true }], continues: false }];
  const alone = { start: 0, end: border, format };
  const rest = { start: border, end: Number.MAX_SAFE_INTEGER, format };
  return [
    { inputs: [{ ...file, range: alone }], continues: false },
    { inputs: [{ ...file, range: rest, scannedAhead: true }], continues: true },
  ];
}

function cutFile(file: FileInput, threads: number, smallest: number): FileInput[] | null {
  if (file.bytes < 2 * smallest) return null;
  const size = Math.max(smallest, Math.ceil(file.bytes / (threads * PARTS_PER_THREAD)));
  const format = lineFormatOf(file);
  if (!format) return null;
  const parts: FileInput[] = [];
  for (let start = 0; start < file.bytes; start += size) {
    // The last part has no end: a file that is being written may have grown since.
    const end = start + size >= file.bytes ? Number.MAX_SAFE_INTEGER : start + size;
    parts.push({ ...file, range: { start, end, format } });
  }
  return parts;
}

function lineFormatOf(file: FileInput): 'vally' | 'sdk' | 'rows' | null {
  const detection = new Detection();
  const layout = detection.add(readHead(file.path, HEAD_BYTES));
  if (layout?.framing !== 'lines' || layout.format === 'trials' || layout.format === 'forecast') return null;
  return layout.format;
}
