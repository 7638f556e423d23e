import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, shell } from './support/trajstats.ts';

/**
 * Whole-program cases: a folder with `cmd`, and the `expected` output, errors and exit code. To record them anew, on
 * purpose, and then read the diff: UPDATE_CASES=1 npx vitest run test/cases.test.ts
 */
const CASES = path.join(ROOT, 'test/cases');

describe('whole-program cases', () => {
  for (const name of readdirSync(CASES).sort()) {
    it(name.replaceAll('-', ' '), () => {
      const file = (part: string) => path.join(CASES, name, part);
      const { code, out, err } = shell(readFileSync(file('cmd'), 'utf8'));
      const actual = { 'expected.out': out, 'expected.err': err, 'expected.code': `${code}\n` };
      for (const [part, text] of Object.entries(actual)) {
        if (process.env.UPDATE_CASES) writeFileSync(file(part), text);
        expect(text, part).toBe(existsSync(file(part)) ? readFileSync(file(part), 'utf8') : '');
      }
    });
  }
});
