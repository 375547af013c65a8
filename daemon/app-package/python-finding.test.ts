import { expect, test } from 'vitest';
import { pythonFinding } from './python-finding.ts';

test.each<[string, string, string]>([
  ['>=3.12', '3.11.7', 'dance needs Python 3.12 or newer; this machine has 3.11.'],
  ['>=3.10,<3.11', '3.12.1', 'dance needs Python 3.10 or newer and older than 3.11; this machine has 3.12.'],
  ['>= 3.11.9', '3.11.7', 'dance needs Python 3.11.9 or newer; this machine has 3.11.7.'],
  ['<=3.11', '3.11.7', 'dance needs Python 3.11 or older; this machine has 3.11.7.'],
  ['==3.10.*', '3.11.7', 'dance needs Python 3.10.*; this machine has 3.11.7.'],
  ['~=3.12', '3.11.7', 'dance needs Python 3.12 or newer and like 3.*; this machine has 3.11.'],
  [
    '>=3.10,!=3.11.*,!=3.9.1',
    '3.11.7',
    'dance needs Python 3.10 or newer and other than 3.11.*; this machine has 3.11.7.',
  ],
])('%s on %s', (requiresPython, here, message) => {
  expect(pythonFinding('dance', requiresPython, here)).toEqual({
    severity: 'problem',
    code: 'python-version',
    message,
    action: 'Choose another Python with --python.',
  });
});

test.each([null, '>=3.10', '>=3.10,<3.12', '<3.13', '!=3.9.*', '==3.11.*', '~=3.10'])(
  '%s goes with 3.11.7',
  (bound) => {
    expect(pythonFinding('dance', bound, '3.11.7')).toBeNull();
  },
);

test.each(['3.10 or so', '>=3.99,'.repeat(10_000)])('a bound that cannot be read is left to the build', (bound) => {
  const finding = pythonFinding('dance', bound, '3.11.7');
  expect(finding).toMatchObject({ severity: 'warning', code: 'bad-requires-python' });
  expect(finding?.message.length).toBeLessThan(200);
});
