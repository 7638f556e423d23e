import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, textOf } from './support.ts';

/** For every stop, the stops that it may import besides itself: down the stream, never back. */
const MAY_IMPORT: Record<string, string[]> = {
  cli: [
    'index',
    'api',
    'read',
    'parse',
    'formats',
    'metrics',
    'aggregate',
    'render',
    'fold',
    'stats',
    'model',
    'version',
  ],
  index: ['api', 'pipeline', 'metrics', 'aggregate', 'fold', 'model', 'version'],
  api: ['jobs', 'pipeline', 'collect', 'read', 'aggregate', 'fold', 'model', 'version'],
  jobs: ['pipeline', 'collect', 'read', 'parse', 'formats', 'aggregate', 'fold', 'model'],
  pipeline: ['collect', 'read', 'parse', 'formats', 'metrics', 'aggregate', 'fold', 'model'],
  collect: ['read', 'parse', 'formats', 'metrics', 'aggregate', 'fold', 'stats', 'model'],
  read: ['fold', 'stats', 'model'],
  parse: ['fold', 'stats', 'model'],
  formats: ['parse', 'fold', 'stats', 'model'],
  metrics: ['fold', 'stats', 'model'],
  aggregate: ['fold', 'stats', 'model'],
  render: ['fold', 'stats', 'model', 'version'],
  fold: ['stats', 'model'],
  stats: ['model'],
  model: [],
  version: [],
};

// The scanner's assembly is another language, which only looks like this one.
const FILES = filesBelow('src').filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes('/simd/assembly/'));

/** `src/read/glob.ts` is of the stop `read`, `src/api.ts` of the stop `api`. */
const stopOf = (file: string) => file.split('/')[1].replace(/\.ts$/, '');

/** Source without comments, so that an example in one is no import. */
const codeOf = (file: string) =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
const importsOf = (file: string) => [...codeOf(file).matchAll(IMPORT)].map(([, still, dynamic]) => still ?? dynamic);
const localsOf = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.dirname(file), name));

test('every file of the source is at a known stop', () => {
  expect(FILES.length).toBeGreaterThan(80);
  expect(FILES.filter((file) => !(stopOf(file) in MAY_IMPORT))).toEqual([]);
});

test('every local import is a file, and is found by this test', () => {
  const known = new Set(filesBelow('src'));
  expect(
    FILES.flatMap((file) =>
      localsOf(file)
        .filter((to) => !known.has(to))
        .map((to) => `${file} → ${to}`),
    ),
  ).toEqual([]);
  // As many as a plain count of the lines that end in a file of ours.
  const plain = FILES.flatMap((file) => codeOf(file).match(/'\.{1,2}\/[^']*\.ts'/g) ?? []);
  expect(FILES.flatMap(localsOf)).toHaveLength(plain.length);
});

describe.each(Object.entries(MAY_IMPORT))('%s', (stop, allowed) => {
  test(`imports nothing but ${[...allowed, 'itself'].join(', ')}`, () => {
    const wrong = FILES.filter((file) => stopOf(file) === stop).flatMap((file) =>
      localsOf(file)
        .filter((to) => stopOf(to) !== stop && !allowed.includes(stopOf(to)))
        .map((to) => `${file} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });
});

test('the model imports nothing but the model', () => {
  const outside = FILES.filter((file) => stopOf(file) === 'model').flatMap((file) =>
    importsOf(file).filter((name) => !/^\.\/[\w-]+\.ts$/.test(name)),
  );
  expect(outside).toEqual([]);
});

test('no file imports itself, over however many others; types, which are gone when it runs, may refer to each other', () => {
  const runs = (file: string) => {
    const types = [...codeOf(file).matchAll(/(?:^|\n)\s*(?:import|export) type\s[^'";]*?from\s+'([^']+)'/g)].map(
      ([, name]) => name,
    );
    return localsOf(file).filter((to) => !types.some((name) => path.posix.join(path.dirname(file), name) === to));
  };
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file].join(' → '));
    else if (!done.has(file)) {
      for (const to of runs(file)) if (to.endsWith('.ts')) visit(to, [...way, file]);
      done.add(file);
    }
  };
  for (const file of FILES) visit(file, []);
  expect(cycles).toEqual([]);
});

test('only the command line touches the process', () => {
  const touching = FILES.filter((file) => /\bprocess\s*(\.|\[)|'(node:)?process'/.test(codeOf(file)));
  expect(touching.map(stopOf).filter((stop) => stop !== 'cli')).toEqual([]);
  expect(touching.length).toBeGreaterThan(0);
});

test('only the readers, and what the command line writes, open files', () => {
  /** What a file takes from node:fs; without braces it could be anything. */
  const fsNames = (file: string) =>
    [...codeOf(file).matchAll(/import\s([^'";]*?)\sfrom\s+'(?:node:)?fs(?:\/promises)?'/g)].flatMap(([, names]) =>
      /^\{[^}]*\}$/.test(names)
        ? names
            .slice(1, -1)
            .split(',')
            .map((name) => name.trim())
        : ['*'],
    );
  // To look at what a path is opens nothing.
  const opening = FILES.filter((file) =>
    fsNames(file).some((name) => name !== 'statSync' && !name.startsWith('type ')),
  );
  expect(opening.filter((file) => stopOf(file) !== 'read')).toEqual([
    'src/cli/output.ts',
    'src/cli/rejects.ts',
    'src/cli/terminal.ts',
  ]);
  expect(opening).toContain('src/read/bytes.ts');
  expect(FILES.filter((file) => /(import\(|require\()\s*'(node:)?fs/.test(codeOf(file)))).toEqual([]);
});

test('nothing prints but the command line', () => {
  expect(FILES.filter((file) => /\bconsole\./.test(codeOf(file)) && stopOf(file) !== 'cli')).toEqual([]);
});
