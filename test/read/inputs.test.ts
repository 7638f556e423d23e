import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findInputs, type Given, type Inputs, totalBytes } from '../../src/read/inputs.ts';
import { folderWith } from '../support.ts';

/** What was found, in short, with paths relative to a folder. */
function brief({ inputs, unreadable }: Inputs, folder: string): unknown[] {
  const relative = (file: string) => path.relative(folder, file) || '.';
  return [
    ...inputs.map((input) => {
      if (input.kind === 'stream') return input.path;
      if (input.kind === 'file') return relative(input.path);
      const runs = input.runs.map(
        (run) => `${relative(run.path)}: ${run.files.map((file) => path.basename(file.path)).join(' ')}`,
      );
      return { summary: input.summary && relative(input.summary.path), runs };
    }),
    ...unreadable.map(({ path: at, message }) => `${relative(at)}! ${message}`),
  ];
}

const find = (folder: string, ...paths: Given[]) =>
  brief(findInputs(paths.map((given) => (typeof given === 'string' ? path.join(folder, given) : given))), folder);

const empty = (...names: string[]) => folderWith(Object.fromEntries(names.map((name) => [name, ''])));

describe('walking a folder', () => {
  test('finds logs by their extensions, in order of their names', () => {
    const folder = empty(
      'b.jsonl',
      'a.json',
      'a/z.ndjson',
      'a/b.json.gz',
      'B.JSONL.ZST',
      'c.txt',
      'd.gz',
      'json',
      'e.jsonl.bak',
      'a-b/x.json',
    );
    expect(find(folder, '.')).toEqual(['B.JSONL.ZST', 'a/b.json.gz', 'a/z.ndjson', 'a-b/x.json', 'a.json', 'b.jsonl']);
  });

  test('does not follow links, to files or to folders', () => {
    const folder = empty('a/x.json', 'runs-outside/info.json');
    symlinkSync(folder, path.join(folder, 'a/loop'));
    symlinkSync(path.join(folder, 'a/x.json'), path.join(folder, 'a/y.json'));
    symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'a/z.json'));
    expect(find(folder, 'a')).toEqual(['a/x.json']);
  });

  test('a link that the user names is followed', () => {
    const folder = empty('a/x.json');
    symlinkSync(path.join(folder, 'a'), path.join(folder, 'l'));
    symlinkSync(path.join(folder, 'a/x.json'), path.join(folder, 'f.json'));
    expect(find(folder, 'l', 'f.json')).toEqual(['l/x.json', 'f.json']);
  });

  test('a folder called like a log is a folder', () => {
    expect(find(empty('x.json/y.json'), '.')).toEqual(['x.json/y.json']);
  });

  test('the folder trials beside a trials file is read through it and not walked', () => {
    const folder = empty(
      's.trials.json',
      'trials/a.json',
      'trials/b.json',
      'other/trials/c.json',
      'packed/T.trials.json.gz',
      'packed/trials/d.json',
    );
    expect(find(folder, '.')).toEqual(['other/trials/c.json', 'packed/T.trials.json.gz', 's.trials.json']);
    expect(find(folder, 'trials')).toEqual(['trials/a.json', 'trials/b.json']);
  });

  test.each([
    ['nothing', []],
    ['no logs', ['README.md', 'a/b.txt']],
  ])('with %s says so', (_, names) => {
    const folder = folderWith({});
    mkdirSync(path.join(folder, 'x'));
    for (const name of names) mkdirSync(path.join(folder, 'x', name), { recursive: true });
    expect(find(folder, 'x')).toEqual(['x! no logs in this folder (looked for .jsonl and .json files)']);
  });

  test('marks what it finds as not named by the user', () => {
    const folder = empty('a.json');
    expect(findInputs([folder]).inputs).toMatchObject([{ kind: 'file', named: false }]);
    expect(findInputs([path.join(folder, 'a.json')]).inputs).toMatchObject([{ kind: 'file', named: true }]);
  });
});

describe('forecast folders', () => {
  test('an evaluation is one set, and the info of each run comes first', () => {
    const folder = empty(
      'e/summary.json',
      'e/runs/b/trajectory.json',
      'e/runs/b/info.json',
      'e/runs/a/sources.json',
      'e/notes.json',
      'z.jsonl',
    );
    expect(find(folder, '.')).toEqual([
      { summary: 'e/summary.json', runs: ['e/runs/a: sources.json', 'e/runs/b: info.json trajectory.json'] },
      'e/notes.json',
      'z.jsonl',
    ]);
  });

  test('a single run is a set of one', () => {
    const folder = empty('r/trajectory.json', 'r/info.json', 'r/extra.jsonl');
    expect(find(folder, 'r')).toEqual([{ summary: null, runs: ['r: info.json trajectory.json'] }, 'r/extra.jsonl']);
    expect(findInputs([path.join(folder, 'r')]).inputs).toMatchObject([{ runs: [{ name: 'r' }] }, {}]);
  });

  test('a file of a run that the user names is a run called like its folder', () => {
    const folder = empty('fc-7/info.json');
    expect(findInputs([path.join(folder, 'fc-7/info.json')]).inputs).toMatchObject([
      {
        kind: 'runs',
        summary: null,
        runs: [{ name: 'fc-7', path: path.join(folder, 'fc-7/info.json'), files: [{ named: true }] }],
      },
    ]);
  });

  test('the folder of a run may be given as the current one', () => {
    const folder = empty('fc-8/info.json');
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(path.join(folder, 'fc-8'));
    expect(findInputs(['.']).inputs).toMatchObject([{ runs: [{ name: 'fc-8' }] }]);
  });

  test('files may be compressed, and the plain one is taken where there are both', () => {
    const folder = empty(
      'summary.json.gz',
      'runs/a/info.json.zst',
      'runs/a/trajectory.json.gz',
      'runs/a/trajectory.json',
    );
    expect(find(folder, '.')).toEqual([
      { summary: 'summary.json.gz', runs: ['runs/a: info.json.zst trajectory.json'] },
    ]);
  });

  test('other logs among the runs are not lost', () => {
    const folder = empty(
      'summary.json',
      'runs/a/info.json',
      'runs/b/results.jsonl',
      'runs/loose.jsonl',
      'runs/c/deep/x.jsonl',
    );
    expect(find(folder, '.')).toEqual([
      { summary: 'summary.json', runs: ['runs/a: info.json'] },
      'runs/b/results.jsonl',
      'runs/c/deep/x.jsonl',
      'runs/loose.jsonl',
    ]);
  });

  test('a summary without runs, and runs without a summary, are walked like anything', () => {
    expect(find(empty('summary.json', 'x.json'), '.')).toEqual(['summary.json', 'x.json']);
    expect(find(empty('runs/a/info.json', 'runs/b/info.json'), '.')).toEqual([
      { summary: null, runs: ['runs/a: info.json'] },
      { summary: null, runs: ['runs/b: info.json'] },
    ]);
  });

  test('links among the runs are not followed', () => {
    const folder = empty('summary.json', 'runs/a/info.json', 'outside/info.json', 'outside/trajectory.json');
    symlinkSync(path.join(folder, 'outside'), path.join(folder, 'runs/b'));
    symlinkSync(path.join(folder, 'outside/trajectory.json'), path.join(folder, 'runs/a/trajectory.json'));
    expect(find(folder, '.')[0]).toEqual({ summary: 'summary.json', runs: ['runs/a: info.json'] });
  });
});

describe('what the user gives', () => {
  test('is taken in the order given', () => {
    const folder = empty('b.jsonl', 'a.jsonl', 'd/x.json');
    expect(find(folder, 'd', 'b.jsonl', 'a.jsonl')).toEqual(['d/x.json', 'b.jsonl', 'a.jsonl']);
  });

  test('a named file may have any name', () => {
    expect(find(empty('log.txt'), 'log.txt')).toEqual(['log.txt']);
  });

  test('bytes are an input of their own', () => {
    expect(find('/', { chunks: [] }, { name: 'n', chunks: [] })).toEqual(['-', 'n']);
  });

  test('what is missing is told of by its name', () => {
    const folder = empty('a.jsonl');
    expect(find(folder, 'no.jsonl', 'a.jsonl', 'a.jsonl/b')).toEqual([
      'a.jsonl',
      'no.jsonl! no such file or folder',
      expect.stringMatching(/^a\.jsonl\/b! /),
    ]);
  });

  test('the bytes of all files are known beforehand', () => {
    const folder = folderWith({ 'a.jsonl': '12345', 'e/summary.json': '12', 'e/runs/a/info.json': '1234567' });
    expect(totalBytes(findInputs([folder, { chunks: [] }]).inputs)).toBe(14);
  });
});

describe('patterns', () => {
  const folder = () =>
    empty(
      'a.jsonl',
      'b.jsonl',
      'c.txt',
      'ab.jsonl',
      '.hidden.jsonl',
      'x/a.jsonl',
      'x/y/a.jsonl',
      'x/y/b.json',
      '.git/a.jsonl',
      'é😀.jsonl',
      '{lit}.jsonl',
      'x[1].jsonl',
      'x1.jsonl',
    );
  test.each<[string, string[]]>([
    ['*.jsonl', ['a.jsonl', 'ab.jsonl', 'b.jsonl', 'x1.jsonl', 'x[1].jsonl', '{lit}.jsonl', 'é😀.jsonl']],
    ['?.jsonl', ['a.jsonl', 'b.jsonl']],
    ['é?.jsonl', ['é😀.jsonl']],
    ['[a-c].jsonl', ['a.jsonl', 'b.jsonl']],
    ['[!a].jsonl', ['b.jsonl']],
    ['[ab]*.jsonl', ['a.jsonl', 'ab.jsonl', 'b.jsonl']],
    ['{a,b}.jsonl', ['a.jsonl', 'b.jsonl']],
    ['{b,a}.{jsonl,txt}', ['a.jsonl', 'b.jsonl']],
    ['{a,{b,ab}}.jsonl', ['a.jsonl', 'ab.jsonl', 'b.jsonl']],
    ['{a,a*}.jsonl', ['a.jsonl', 'ab.jsonl']],
    ['.h*', ['.hidden.jsonl']],
    ['*/a.jsonl', ['x/a.jsonl']],
    ['**/a.jsonl', ['a.jsonl', 'x/a.jsonl', 'x/y/a.jsonl']],
    ['x/**/*.json*', ['x/a.jsonl', 'x/y/a.jsonl', 'x/y/b.json']],
    ['**/y/*', ['x/y/a.jsonl', 'x/y/b.json']],
    ['x/**', ['x/a.jsonl', 'x/y/a.jsonl', 'x/y/b.json']],
    ['x/**/*', ['x/a.jsonl', 'x/y/a.jsonl', 'x/y/b.json']],
    ['x*', ['x/a.jsonl', 'x/y/a.jsonl', 'x/y/b.json', 'x1.jsonl', 'x[1].jsonl']],
    ['{lit}.jsonl', ['{lit}.jsonl']],
    ['x[1].jsonl', ['x[1].jsonl']],
    ['a.+jsonl*', ['a.+jsonl*! no file matches this pattern']],
    ['no*.jsonl', ['no*.jsonl! no file matches this pattern']],
    ['[c-a].jsonl', ['[c-a].jsonl! no file matches this pattern']],
    ['[.jsonl', ['[.jsonl! no file matches this pattern']],
    ['a.jsonl/*', ['a.jsonl/*! no file matches this pattern']],
  ])('%s', (pattern, expected) => {
    expect(find(folder(), pattern)).toEqual(expected);
  });

  test('are relative to the current folder', () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder());
    const names = (pattern: string) => findInputs([pattern]).inputs.map((input) => (input as { path: string }).path);
    expect(names('x/*.jsonl')).toEqual(['x/a.jsonl']);
    expect(names('./x/y/*.json')).toEqual(['x/y/b.json']);
    expect(names('../*/x/y/*.json')).toContain(path.join('..', path.basename(process.cwd()), 'x/y/b.json'));
    expect(names('**')).toEqual(names('.'));
    expect(names('**')).toContain('x/y/a.jsonl');
  });
});
