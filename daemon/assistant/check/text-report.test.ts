import { expect, test } from 'vitest';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';
import { textReport } from './format-report.ts';

const checkedAt = '2026-11-26T10:00:00.000Z';

function finding(severity: CheckFinding['severity'], more: Partial<CheckFinding> = {}): CheckFinding {
  const plain = { message: 'run is async.', action: null, file: 'main.py', line: 1, fixable: false };
  return { id: 'bad-run', severity, ...plain, ...more };
}
const findings = (problems: number, warnings: number) => [
  ...Array.from({ length: problems }, () => finding('problem')),
  ...Array.from({ length: warnings }, () => finding('warning')),
];
const lastLine = (all: CheckFinding[], built = false) =>
  textReport({ checkedAt, built, findings: all }, '/apps/wave').split('\n').at(-2);

test.each([
  [0, 0, 'nothing found'],
  [1, 0, '1 problem'],
  [0, 1, '1 warning'],
  [3, 1, '3 problems, 1 warning'],
  [1, 4, '1 problem, 4 warnings'],
  [2, 5, '2 problems, 5 warnings'],
])('of %d problems and %d warnings the last line says: %s', (problems, warnings, text) => {
  expect(lastLine(findings(problems, warnings))).toBe(`/apps/wave: ${text} (its files checked).`);
});

test('the last line says when the package was built', () => {
  expect(lastLine(findings(0, 2), true)).toBe('/apps/wave: 2 warnings (built, installed and loaded).');
});

test('a finding has its place, what is wrong and what to do, as far as they are known', () => {
  const all = [
    finding('problem', { action: 'Define it without async.', line: 12 }),
    finding('warning', { line: null, fixable: true }),
    finding('warning', { file: null, line: null, action: 'Add it.', fixable: true }),
  ];
  expect(textReport({ checkedAt, built: false, findings: all }, '/apps/wave')).toBe(`main.py
  main.py:12  problem  bad-run
    run is async.
    → Define it without async.
  main.py  warning  bad-run
    run is async.
    → (--fix does it)

The folder
  warning  bad-run
    run is async.
    → Add it. (--fix does it)

/apps/wave: 1 problem, 2 warnings (its files checked).
`);
});
