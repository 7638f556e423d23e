import { Detection, HEAD_BYTES } from '../formats/detect.ts';
import { readHead } from '../read/bytes.ts';
import type { FileInput, Input, Inputs } from '../read/inputs.ts';
import { totalBytes } from '../read/inputs.ts';

/** A share of the input that one thread reads, in the order of the input. */
export interface Task {
  inputs: Input[];
  /** Where the first input is a part of a file: its lines are counted from the part's start. */
  continues: boolean;
}

/** Below this, starting a thread takes longer than reading. */
export const WORTH_A_THREAD = 24 * 1024 * 1024;
/** Parts of a file, some for each thread to share the work evenly, and few, since what each gives has to be merged. */
const PART_BYTES = 32 * 1024 * 1024;
const PARTS_PER_JOB = 4;
/** Many small files go together, so that a message is worth sending. */
const FILES_PER_TASK = 64;

/**
 * Cuts the input into tasks. Only files of lines can be cut, at their newlines; an array of trials is one JSON value, in
 * which nobody can tell from the middle where an element begins, and a compressed file has no middle at all.
 */
export function planTasks({ inputs }: Inputs, jobs: number, cutFiles: boolean): Task[] {
  if (jobs <= 1 || totalBytes(inputs) < WORTH_A_THREAD) return [{ inputs, continues: false }];
  const tasks: Task[] = [];
  let group: Input[] = [];
  let bytes = 0;
  const flush = () => {
    if (group.length > 0) tasks.push({ inputs: group, continues: false });
    group = [];
    bytes = 0;
  };
  for (const input of inputs) {
    const parts = cutFiles && input.kind === 'file' ? cutFile(input, jobs) : null;
    if (parts) {
      flush();
      for (const part of parts) tasks.push({ inputs: [part], continues: part.range?.start !== 0 });
      continue;
    }
    group.push(input);
    bytes += totalBytes([input]);
    if (bytes >= PART_BYTES || group.length >= FILES_PER_TASK) flush();
  }
  flush();
  return tasks;
}

function cutFile(file: FileInput, jobs: number): FileInput[] | null {
  if (file.bytes < 2 * PART_BYTES) return null;
  const size = Math.max(PART_BYTES, Math.ceil(file.bytes / (jobs * PARTS_PER_JOB)));
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
