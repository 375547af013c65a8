import { expect, test } from 'vitest';
import { placeOf, resultText, whenClosedText } from './help-text.ts';

test.each([
  [[], 'No problems found.'],
  [['note'], 'Nothing is broken.'],
  [['untidy', 'note'], 'Nothing is broken.'],
  [['broken', 'note'], '1 problem found.'],
  [['broken', 'broken'], '2 problems found.'],
] as const)('of the findings %j it says "%s"', (severities, text) => {
  expect(resultText(severities.map((severity) => ({ severity })))).toBe(text);
});

test.each([
  ['model-unused', '#/models?tab=machine'],
  ['model-partial', '#/models?tab=machine'],
  ['graphics-card-off', '#/settings?section=graphics-card'],
  ['graphics-card-left-alone', '#/models?tab=machine'],
  ['startup-app-missing', '#/settings'],
  ['hub-offline', undefined],
])('what is to be done about %s is on the page %s', (code, href) => {
  expect(placeOf(code)?.href).toBe(href);
});

test('a repair that no running daemon makes says how the daemon is ended, or that its command is missing', () => {
  expect(whenClosedText(true, true)).toBe('For this repair, quit Robot Desktop, then run this in a terminal:');
  expect(whenClosedText(false, true)).toBe('For this repair, stop the daemon, then run this in a terminal:');
  expect(whenClosedText(true, false)).toBe(
    'This repair needs the command "robot-daemon doctor --fix", which this package does not include.',
  );
});
