import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patchStatistics } from '../../src/formats/patch.ts';

function statistics(...pieces: string[]) {
  const state = pieces.reduce((before, piece) => patchStatistics.step(before, piece), patchStatistics.init());
  return patchStatistics.done(state);
}

interface File {
  name: string;
  hunks: { kept: string[]; removed: string[]; added: string[] }[];
}

/** A patch as git writes it, and what is in it, by construction. */
function write(files: File[], git: boolean, newline: boolean) {
  const text = files
    .map(({ name, hunks }) => {
      const body = hunks.map(({ kept, removed, added }) => {
        const old = kept.length + removed.length;
        const now = kept.length + added.length;
        const header = `@@ -1${old === 1 ? '' : `,${old}`} +1${now === 1 ? '' : `,${now}`} @@ ${name}`;
        return [
          header,
          ...kept.map((line) => ` ${line}`),
          ...removed.map((line) => `-${line}`),
          ...added.map((line) => `+${line}`),
        ].join('\n');
      });
      return [
        ...(git ? [`diff --git a/${name} b/${name}`, 'index 1..2 100644'] : []),
        `--- a/${name}`,
        `+++ b/${name}`,
        ...body,
      ].join('\n');
    })
    .join('\n');
  const count = (side: 'added' | 'removed') =>
    files.flatMap(({ hunks }) => hunks).reduce((sum, hunk) => sum + hunk[side].length, 0);
  const full = text + (newline ? '\n' : '');
  return {
    text: full,
    expected: { bytes: Buffer.byteLength(full), files: files.length, added: count('added'), removed: count('removed') },
  };
}

// Lines that look like headers once they have their sign.
const line = fc.oneof(
  fc.constantFrom(
    '',
    '-- x',
    '++ b/x',
    'diff --git a/x b/x',
    '@@ -1,9 +1,9 @@',
    '\\',
    'é😀',
    '-',
    '+',
    '-- ',
    'x'.repeat(200),
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replace(/[\n\r]/g, ' ')),
);
const someLines = fc.array(line, { maxLength: 4 });
// git never writes a hunk without a change.
const hunk = fc.record({ kept: someLines, removed: someLines, added: fc.array(line, { minLength: 1, maxLength: 4 }) });
const patch = fc
  .tuple(
    fc.array(
      fc.record({
        name: fc.constantFrom('a', 'src/é.ts', 'b c'),
        hunks: fc.array(hunk, { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([files, git, newline]) => write(files, git, newline));

test('files, lines and bytes are those that the patch was written with', () => {
  fc.assert(
    fc.property(patch, ({ text, expected }) => {
      expect(statistics(text)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('where the text is cut into pieces does not matter, not even within a character', () => {
  fc.assert(
    fc.property(patch, fc.array(fc.nat(), { maxLength: 12 }), ({ text, expected }, positions) => {
      const cuts = [0, ...positions.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length];
      expect(statistics(...cuts.slice(1).map((to, i) => text.slice(cuts[i], to)))).toEqual(expected);
      expect(statistics(...text.split(''))).toEqual(expected);
    }),
  );
});

test('any text at all gives numbers, and the same in pieces', () => {
  const anything = fc.array(
    fc.constantFrom('+', '-', ' ', '@@ -1 +1 @@', '@@ -1,2 +3,4 @@', 'diff --git ', '--- ', '+++ ', '\n', 'x', '\\'),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(anything, (parts) => {
      const text = parts.join('');
      const whole = statistics(text);
      expect(statistics(...parts)).toEqual(whole);
      expect(whole.bytes).toBe(text.length);
      const rows = text.split('\n');
      expect(whole.added).toBeLessThanOrEqual(rows.filter((row) => row.startsWith('+')).length);
      expect(whole.removed).toBeLessThanOrEqual(rows.filter((row) => row.startsWith('-')).length);
    }),
  );
});

describe('patches of other kinds', () => {
  test.each([
    ['nothing', '', { bytes: 0, files: 0, added: 0, removed: 0 }],
    [
      'a rename',
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
      { files: 1, added: 0, removed: 0 },
    ],
    [
      'a binary file',
      'diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n',
      { files: 1, added: 0, removed: 0 },
    ],
    [
      'no newline at the end',
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
      { files: 1, added: 1, removed: 1 },
    ],
    [
      'a remark within a hunk, before a removed line that looks like a header',
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n--- c\n+d\n',
      { files: 1, added: 2, removed: 2 },
    ],
    [
      'a new file',
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n',
      { files: 1, added: 2, removed: 0 },
    ],
    [
      'a mail from git format-patch',
      'From 1 Mon\nSubject: x\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.43.0\n',
      { files: 1, added: 1, removed: 1 },
    ],
    [
      'CRLF',
      'diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n',
      { files: 1, added: 1, removed: 1 },
    ],
    [
      'a hunk shorter than it says',
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n',
      { files: 2, added: 2, removed: 2 },
    ],
    [
      'a hunk longer than it says',
      '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n+d\n',
      { files: 1, added: 3, removed: 1 },
    ],
  ])('%s', (_, text, expected) => {
    expect(statistics(text)).toMatchObject(expected);
  });
});
