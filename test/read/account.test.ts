import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Account,
  addProblem,
  addSkipped,
  inputAccount,
  mergeAccounts,
  newAccount,
} from '../../src/read/account.ts';

type Step =
  | { kind: 'problem'; message: string }
  | { kind: 'skip'; type: string }
  | { kind: 'line'; key: 'good' | 'bad' | 'blank' }
  | { kind: 'bytes'; n: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('problem' as const), message: fc.string({ maxLength: 3 }) }),
  fc.record({ kind: fc.constant('skip' as const), type: fc.constantFrom('a', 'b', '__proto__') }),
  fc.record({
    kind: fc.constant('line' as const),
    key: fc.constantFrom('good' as const, 'bad' as const, 'blank' as const),
  }),
  fc.record({ kind: fc.constant('bytes' as const), n: fc.nat({ max: 1000 }) }),
);

function accountOf(steps: Step[]): Account {
  const account = newAccount();
  for (const one of steps) {
    if (one.kind === 'problem') addProblem(account, { path: 'p', line: 1, message: one.message });
    else if (one.kind === 'skip') addSkipped(account, one.type);
    else if (one.kind === 'bytes') account.bytes += one.n;
    else {
      account[one.key]++;
      account.lines++;
    }
  }
  return account;
}

const steps = fc.array(step, { maxLength: 25 });

test('accounts of parts add up to the account of the whole', () => {
  fc.assert(
    fc.property(steps, steps, steps, (a, b, c) => {
      const whole = accountOf([...a, ...b, ...c]);
      expect(mergeAccounts(mergeAccounts(accountOf(a), accountOf(b)), accountOf(c))).toEqual(whole);
      expect(mergeAccounts(accountOf(a), mergeAccounts(accountOf(b), accountOf(c)))).toEqual(whole);
      expect(mergeAccounts(newAccount(), whole)).toEqual(whole);
    }),
  );
});

test('the first ten problems are kept, and all are counted', () => {
  const account = accountOf(Array.from({ length: 25 }, (_, n) => ({ kind: 'problem', message: `${n}` })));
  expect(account.problems.map(({ message }) => message)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(account.problemCount).toBe(25);
});

test('what a report shows is sorted, and holds hostile names', () => {
  const shown = inputAccount(
    accountOf([
      { kind: 'skip', type: 'b' },
      { kind: 'skip', type: '__proto__' },
      { kind: 'skip', type: 'a' },
      { kind: 'skip', type: 'b' },
    ]),
  );
  expect(Object.entries(shown.skipped)).toEqual([
    ['__proto__', 1],
    ['a', 1],
    ['b', 2],
  ]);
  expect(Object.keys(shown)).not.toContain('problemCount');
});
