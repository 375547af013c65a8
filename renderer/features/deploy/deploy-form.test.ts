import { expect, test } from 'vitest';
import { configOf, type DeployValues, defaultValues, otherProblems, problemsAt, problemsOf } from './deploy-form.ts';

const typed = (change: Partial<DeployValues> = {}): DeployValues => ({ ...defaultValues('big-model'), ...change });

test("the form opens with the daemon's defaults", () => {
  expect(problemsOf(typed())).toEqual({});
  expect(configOf(typed())).toEqual({
    name: 'big-model',
    type: 'authenticated',
    scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15 },
  });
});

test('a private link is sent only for a private endpoint', () => {
  const link = { hasPrivateService: true, accountId: ' 123 ' };
  expect(configOf(typed({ ...link, type: 'public' }))).not.toHaveProperty('privateService');
  expect(configOf(typed({ type: 'private' }))).not.toHaveProperty('privateService');
  expect(configOf(typed({ ...link, type: 'private' }))).toMatchObject({
    privateService: { accountId: '123', region: 'us-east-1', shared: false },
  });
  expect(problemsOf(typed({ ...link, type: 'private', accountId: ' ' }))).toEqual({
    accountId: 'Enter the account that may use the link.',
  });
});

test('an endpoint that always runs sends no sleep timeout', () => {
  const always = typed({ minReplica: '1', scaleToZeroTimeout: 'x' });
  expect(problemsOf(always)).toEqual({});
  expect(configOf(always).scaling).toEqual({ minReplica: 1, maxReplica: 1 });
});

const wholeNumber = 'A whole number, 0 or more.';
const tooMany = 'One machine runs at most 32 replicas of an endpoint.';
test.each<[Partial<DeployValues>, object]>([
  [{ name: 'Big_Model' }, { name: 'Lower-case letters, digits and -, at most 32 of them.' }],
  [{ name: '-x' }, { name: 'The name cannot begin with "-".' }],
  [{ name: '' }, { name: 'Lower-case letters, digits and -, at most 32 of them.' }],
  [{ minReplica: '-1' }, { minReplica: wholeNumber }],
  [{ maxReplica: '1e3' }, { maxReplica: wholeNumber }],
  [{ maxReplica: '33' }, { maxReplica: tooMany }],
  [{ minReplica: '33', maxReplica: '32' }, { minReplica: tooMany }],
  [{ scaleToZeroTimeout: '' }, { scaleToZeroTimeout: wholeNumber }],
  [{ minReplica: '3', maxReplica: '2' }, { maxReplica: 'Must not be below “At least” (3).' }],
  [
    { minReplica: 'x', maxReplica: 'y' },
    { minReplica: wholeNumber, maxReplica: wholeNumber },
  ],
])('%o is refused at its field', (change, problems) => {
  expect(problemsOf(typed(change))).toEqual(problems);
});

test("the daemon's issues are mapped to their fields, the others listed apart", () => {
  const issues = [
    { path: ['config', 'scaling', 'minReplica'], message: 'more than maxReplica' },
    { path: ['config', 'name'], message: 'There is one already.' },
    { path: ['namespace'], message: 'not yours' },
  ];
  expect(problemsAt(issues)).toEqual({ minReplica: 'More than maxReplica.', name: 'There is one already.' });
  expect(otherProblems(issues)).toEqual([issues[2]]);
});
