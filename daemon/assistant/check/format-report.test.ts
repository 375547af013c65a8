import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { inFile, problem, warning } from '../../app-package/package-finding.ts';
import type { rules } from '../../app-package/rules.ts';
import type { CheckReport } from '../../contract/apps/own-apps.ts';
import { checkReport, exitCodeOf, preventsRun } from './check-report.ts';
import { formatReport } from './format-report.ts';

const when = { checkedAt: '2026-11-23T10:00:00.000Z', built: false };
const folder = '/home/ada/my äpps/näme #1';
const some = checkReport(
  [
    inFile(warning('no-tag', 'README.md does not have the tag robot_python_app.'), 'README.md', 2),
    warning('no-landing-page', 'There is no index.html.'),
    inFile(problem('bad-run', 'run is async.'), 'my app/ü.py', 12),
    inFile(problem('secret', 'my app/ü.py holds a key.', 'Revoke it.'), 'my app/ü.py', 3),
    inFile(problem('bad-run', 'run is async.'), 'my app/ü.py', 12),
  ],
  when,
);
const none = checkReport([], { ...when, built: true });

test('the report names each finding once, problems first, then by file and line', () => {
  expect(some.findings.map(({ id, file, line }) => `${id} ${file}:${line}`)).toEqual([
    'secret my app/ü.py:3',
    'bad-run my app/ü.py:12',
    'no-landing-page null:null',
    'no-tag README.md:2',
  ]);
});

test('the text is grouped by file and says what to do', () => {
  expect(formatReport(some, folder, 'text')).toBe(`my app/ü.py
  my app/ü.py:3  problem  secret
    my app/ü.py holds a key.
    → Revoke it.
  my app/ü.py:12  problem  bad-run
    run is async.
    → Define it as run(self, robot, stop_event), without async.

The folder
  warning  no-landing-page
    There is no index.html.
    → Add it, with a few words and a picture of what the app does. (--fix does it)

README.md
  README.md:2  warning  no-tag
    README.md does not have the tag robot_python_app.
    → Add robot_python_app to its tags. (--fix does it)

/home/ada/my äpps/näme #1: 2 problems, 2 warnings (its files checked).
`);
  expect(formatReport(none, '/a', 'text')).toBe('/a: nothing found (built, installed and loaded).\n');
});

test('the action is for the author, also where an install has one for users', () => {
  const { findings } = checkReport([problem('in-subdirectory', 'x', 'Add #subdirectory=y to the address.')], when);
  expect(findings.map(({ action }) => action)).toEqual(['Check that folder.']);
});

test('a hostile name of a file reaches no terminal', () => {
  const hostile = checkReport([inFile(problem('bad-run', 'x'), 'a\u001b[2J\n.py', 1)], when);
  expect(formatReport(hostile, '/a', 'text')).not.toContain('\u001b');
});

test('JSON has the folder and the whole report', () => {
  expect(JSON.parse(formatReport(some, folder, 'json'))).toEqual({ folder, ...some });
});

test.each<[string, CheckReport]>([
  ['findings', some],
  ['nothing', none],
])('SARIF of %s is valid by its schema', (_name, report) => {
  const file = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  // Draft 4 of JSON Schema differs from draft 7 in its ids and in bounds, of which this schema has only those of both.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  validate(JSON.parse(formatReport(report, folder, 'sarif')));
  expect(validate.errors).toBeNull();
  expect(ajv.validate(schema, { version: '2.1.0', runs: [{ tool: {} }] })).toBe(false);
});

test('SARIF has a rule for each id, and places that lead to the files', () => {
  const { runs } = JSON.parse(formatReport(some, folder, 'sarif'));
  const [{ tool, results, originalUriBaseIds }] = runs;
  expect(originalUriBaseIds).toEqual({ APP: { uri: 'file:///home/ada/my%20%C3%A4pps/n%C3%A4me%20%231/' } });
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    'bad-run',
    'no-landing-page',
    'no-tag',
    'secret',
  ]);
  expect(results[0]).toEqual({
    ruleId: 'secret',
    ruleIndex: 3,
    level: 'error',
    message: { text: 'my app/ü.py holds a key. Revoke it.' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'my%20app/%C3%BC.py', uriBaseId: 'APP' },
          region: { startLine: 3 },
        },
      },
    ],
  });
});

test('exit codes: 0 without a problem, 1 with one, 3 when it could not be built', () => {
  const of = (...ids: (keyof typeof rules)[]) =>
    checkReport(
      ids.map((id) => warning(id, 'x')),
      when,
    );
  expect(exitCodeOf(none)).toBe(0);
  expect(exitCodeOf(of('no-tag', 'code-not-checked'))).toBe(0);
  expect(exitCodeOf(some)).toBe(1);
  expect(exitCodeOf(of('not-built', 'no-tag'))).toBe(3);
  expect(exitCodeOf(checkReport([warning('not-built', 'x'), problem('bad-run', 'x')], when))).toBe(1);
  expect(exitCodeOf(of('no-tag'), { strict: true })).toBe(1);
});

test('an app with a token in it runs, one with a broken class does not', () => {
  expect(preventsRun({ severity: 'problem', id: 'secret' })).toBe(false);
  expect(preventsRun({ severity: 'problem', id: 'bad-run' })).toBe(true);
  expect(preventsRun({ severity: 'warning', id: 'no-tag' })).toBe(false);
});
