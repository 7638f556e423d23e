import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The rows of the table of promises: the promise, and the tests that hold it as `file: name`. */
const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| .*`test\//.test(line))
  .map((line) => ({ line, tests: [...line.matchAll(/`(test\/[^`]+\.test\.ts)`: ((?:“[^”]+”(?:, )?)+)/g)] }));

const named = rows.flatMap(({ tests }) =>
  tests.flatMap(([, file, names]) => [...names.matchAll(/“([^”]+)”/g)].map(([, name]) => [file, name] as const)),
);

test('every promise in SECURITY.md names a test', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test.each(named)('%s has the test “%s”', (file, name) => {
  expect(existsSync(file)).toBe(true);
  // A name stands in quotes, as an argument of a test or as the first cell of a table of them.
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`(['"\`])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`));
});
