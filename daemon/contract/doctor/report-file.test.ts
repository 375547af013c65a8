import { expect, test } from 'vitest';
import { reportFile } from './report-file.ts';

const report = {
  createdAt: '2026-11-28T10:20:30.400Z',
  version: '1.2.3',
  parts: [
    { id: 'system', title: 'Versions and system', text: 'Node  24.1.0\n', isIncluded: true },
    { id: 'output-dance', title: 'Last lines of dance, which crashed', text: 'Boom.\n\n', isIncluded: false },
  ],
};

test('the file has the chosen parts under their titles, and says what is left out', () => {
  expect(reportFile(report, new Set(['system']))).toEqual({
    name: 'robot-desktop-problem-2026-11-28-102030.txt',
    text: `Robot Desktop: report of a problem

Made at 2026-11-28T10:20:30.400Z by version 1.2.3. Its user saved this file; nothing has sent it anywhere.
Masked as far as they can be recognized: tokens, passwords, values of variables, home folders, the name of the user.
Left out: Last lines of dance, which crashed.

== Versions and system ==

Node  24.1.0
`,
  });
});

test('a file with every part leaves nothing out', () => {
  const { text } = reportFile(report, new Set(['system', 'output-dance']));
  expect(text).not.toContain('Left out');
  expect(text.slice(text.indexOf('\n\n=='))).toBe(`

== Versions and system ==

Node  24.1.0

== Last lines of dance, which crashed ==

Boom.
`);
});
