import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

test.each<[written: string, known: string[], meant: string | null]>([
  ['basline', ['baseline', 'needs'], 'baseline'],
  ['Need', ['baseline', 'needs'], 'needs'],
  ['MyAp', ['Helper', 'MyApp'], 'MyApp'],
  ['MyApp', ['MyApp2', 'myapp'], 'myapp'],
  ['timeout', ['baseline', 'needs'], null],
  ['', ['baseline'], null],
  ['x', ['y'], null],
  ['robot-skd', ['robot-sdk'], 'robot-sdk'],
  ['a'.repeat(10_000), ['a'.repeat(9_000)], 'a'.repeat(9_000)],
])('the closest to %s among %j', (written, known, meant) => {
  expect(closestName(written, known)).toBe(meant);
});
