import { expect, test } from 'vitest';
import { releasedChangelog } from './changelog.ts';

const released = (text: string) => releasedChangelog(text, '0.2.0', '2026-01-31');

test('what is unreleased gets its version and its date, below a new, empty heading', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- It dances.\n\n## 0.1.0 (2026-01-01)\n\n- It waves.\n';
  const expected =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-01-31)\n\n- It dances.\n\n## 0.1.0 (2026-01-01)\n\n- It waves.\n';
  expect(released(text)).toBe(expected);
});

test('the first release has no other one below', () => {
  expect(released('## Unreleased\n- It dances.')).toBe('## Unreleased\n\n## 0.2.0 (2026-01-31)\n- It dances.');
});

test.each([
  ['nothing is unreleased', '## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- It waves.\n'],
  ['there is only the heading', '## Unreleased\n\n'],
  ['it was released just now', releasedChangelog('## Unreleased\n\n- It dances.\n', '0.2.0', '2026-01-31')],
])('where %s, a release is refused', (_, text) => {
  expect(() => released(text)).toThrow(
    'CHANGELOG.md lists nothing under "## Unreleased". Write there what a user can do now.',
  );
});

test.each([
  ['no heading', '# Changelog\n\n- It dances.\n'],
  ['two headings', '## Unreleased\n\n- It dances.\n\n## Unreleased\n\n- It waves.\n'],
  ['a heading of another form', '## Unreleased changes\n\n- It dances.\n'],
])('where there is %s of what is unreleased, a release is refused', (_, text) => {
  expect(() => released(text)).toThrow(
    'CHANGELOG.md needs the heading "## Unreleased", once. Add it above what is new.',
  );
});
