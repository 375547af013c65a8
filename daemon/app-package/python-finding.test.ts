import { expect, test } from 'vitest';
import { choiceOf } from '../testing/apps/host-pythons.ts';
import { fitsPython, pythonFinding } from './python-finding.ts';

const place = { file: 'pyproject.toml', key: ['project', 'requires-python'] };
test.each<[string, [string, ...string[]], string, string]>([
  ['>=3.12', ['3.11.7'], '3.12 or newer', '3.11'],
  ['>=3.10,<3.11', ['3.12.1'], '3.10 or newer and older than 3.11', '3.12'],
  ['>= 3.11.9', ['3.11.7'], '3.11.9 or newer', '3.11.7'],
  ['<=3.11', ['3.11.7'], '3.11 or older', '3.11.7'],
  ['==3.10.*', ['3.11.7'], '3.10.*', '3.11'],
  ['==3.10', ['3.11.7'], '3.10', '3.11.7'],
  ['~=3.12', ['3.11.7'], '3.12 or newer and like 3.*', '3.11'],
  ['>=3.10,!=3.11.*,!=3.9.1', ['3.11.7'], '3.10 or newer and other than 3.11.*', '3.11.7'],
  ['>=3.12,', ['3.11.7'], '3.12 or newer', '3.11'],
  ['>=3.14', ['3.13.1', '3.13.0', '3.11.7', '3.10.2'], '3.14 or newer', '3.10, 3.11 and 3.13'],
])('%s on %s', (requiresPython, installed, range, here) => {
  expect(pythonFinding('dance', requiresPython, choiceOf(requiresPython, installed))).toEqual({
    ...place,
    severity: 'problem',
    code: 'python-version',
    message: `dance needs Python ${range}; this machine has ${here}.`,
    action: `Install Python ${range} from your system or python.org, then install the app again.`,
  });
});

test('a Python that can be downloaded is offered', () => {
  expect(pythonFinding('dance', '>=3.12', choiceOf('>=3.12', ['3.11.7'], { download: '3.12.4' }))).toMatchObject({
    action: 'Download Python 3.12 and install the app with it.',
    pythonDownload: '3.12.4',
  });
});

test.each<[string, string]>([
  ...['>=3.8,<3.9', '<3.10', '==2.7.*', '==3.9.18'].map((range): [string, string] => [
    range,
    'Apps run on Python 3.10 or newer: ask its author to support one of these.',
  ]),
  ...['>=4', '>=3.12,<3.12'].map((range): [string, string] => [
    range,
    'There is no such Python: ask its author to correct "requires-python".',
  ]),
])('for %s, nobody can install a Python', (range, action) => {
  expect(pythonFinding('dance', range, choiceOf(range, ['3.11.7']))).toMatchObject({
    action,
  });
});

test.each([null, '>=3.10', '>=3.10,<3.12', '<3.13', '!=3.9.*', '==3.11.*', '~=3.10'])(
  '%s goes with 3.11.7',
  (range) => {
    expect(pythonFinding('dance', range, choiceOf(range, ['3.11.7']))).toBeNull();
  },
);

test('another installed Python serves an app that needs it', () => {
  const choice = choiceOf('>=3.12', ['3.11.7', '3.13.0', '3.12.1']);
  expect(pythonFinding('dance', '>=3.12', choice)).toBeNull();
  expect(choice.chosen?.version).toBe('3.13.0');
});

test.each(['3.10 or so', '>=3.99,'.repeat(10_000)])('a bound that cannot be read is left to the build', (bound) => {
  const finding = pythonFinding('dance', bound, choiceOf(bound, ['3.11.7']));
  expect(finding).toMatchObject({ severity: 'warning', code: 'bad-requires-python' });
  expect(finding?.message.length).toBeLessThan(200);
  expect(fitsPython(bound, '3.11.7')).toBe(true);
});
