import type { Fold } from '../fold/fold.ts';
import type { PatchStatistics } from '../model/row.ts';

interface PatchState {
  bytes: number;
  gitHeaders: number;
  fileHeaders: number;
  added: number;
  removed: number;
  /** The start of the line that is being read: enough of it to tell what it is. */
  line: string;
  lineHasText: boolean;
  /** Lines that the current hunk still has, by its header. */
  oldLeft: number;
  newLeft: number;
  endedInHighSurrogate: boolean;
}

/** Enough of a line for any hunk header. */
const ENOUGH = 80;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Statistics of a unified diff, folded over its text as it streams by, so that a huge patch is never held. */
export const patchStatistics: Pick<Fold<string, PatchState, PatchStatistics>, 'init' | 'step' | 'done'> = {
  init: () => ({
    bytes: 0,
    gitHeaders: 0,
    fileHeaders: 0,
    added: 0,
    removed: 0,
    line: '',
    lineHasText: false,
    oldLeft: 0,
    newLeft: 0,
    endedInHighSurrogate: false,
  }),

  step(state, piece) {
    if (piece.length === 0) return state;
    state.bytes += Buffer.byteLength(piece);
    // The two halves of a character in two pieces were counted as three bytes each; together they are four.
    if (state.endedInHighSurrogate && isLowSurrogate(piece.charCodeAt(0))) state.bytes -= 2;
    state.endedInHighSurrogate = isHighSurrogate(piece.charCodeAt(piece.length - 1));
    let from = 0;
    for (;;) {
      const newline = piece.indexOf('\n', from);
      const to = newline < 0 ? piece.length : newline;
      if (to > from) state.lineHasText = true;
      if (state.line.length < ENOUGH) state.line += piece.slice(from, Math.min(to, from + ENOUGH - state.line.length));
      if (newline < 0) return state;
      finishLine(state);
      from = newline + 1;
    }
  },

  done(state) {
    const last = { ...state };
    if (last.lineHasText) finishLine(last);
    const { bytes, gitHeaders, fileHeaders, added, removed } = last;
    return { bytes, files: gitHeaders > 0 ? gitHeaders : fileHeaders, added, removed };
  },
};

function finishLine(state: PatchState): void {
  const { line } = state;
  state.line = '';
  state.lineHasText = false;
  if (state.oldLeft > 0 || state.newLeft > 0) hunkLine(state, line);
  else if (line.startsWith('diff --git ')) state.gitHeaders++;
  else if (line.startsWith('+++ ')) state.fileHeaders++;
  else if (line.startsWith('--- ')) return;
  else if (line.startsWith('@@ ')) startHunk(state, line);
  // The signature of a patch that git wrote as a mail.
  else if (line === '-- ' || line === '---') return;
  else countLine(state, line);
}

function startHunk(state: PatchState, line: string): void {
  const header = HUNK.exec(line);
  if (!header) return;
  state.oldLeft = Number(header[1] ?? 1);
  state.newLeft = Number(header[2] ?? 1);
}

/** Inside a hunk a line that looks like a header (`--- x`, a removed `-- x`) is a line like any other. */
function hunkLine(state: PatchState, line: string): void {
  if (line.startsWith('diff --git ')) {
    // The hunk is shorter than it said.
    state.oldLeft = 0;
    state.newLeft = 0;
    state.gitHeaders++;
    return;
  }
  countLine(state, line);
  if (line.startsWith('\\')) return;
  if (!line.startsWith('+')) state.oldLeft = Math.max(0, state.oldLeft - 1);
  if (!line.startsWith('-')) state.newLeft = Math.max(0, state.newLeft - 1);
}

function countLine(state: PatchState, line: string): void {
  if (line.startsWith('+')) state.added++;
  else if (line.startsWith('-')) state.removed++;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
