import { describe, expect, test } from 'vitest';
import { nameFindings } from './manifest.ts';

describe('names that would be read as something else are refused, of the app and of the project', () => {
  test.each([
    ['-rfoo', 'it would be read as an option'],
    ['--help', 'it would be read as an option'],
    ['../x', 'it is a path'],
    ['/etc', 'it is a path'],
    ['a/b', 'it is a path'],
    ['a\\b', 'it is a path'],
    ['.', 'it is a path'],
    ['..', 'it is a path'],
    ['con', 'it is the name of a device on Windows'],
    ['NUL', 'it is the name of a device on Windows'],
    ['nul.txt', 'it is the name of a device on Windows'],
    ['lpt1', 'it is the name of a device on Windows'],
  ])('%s: %s', (name, why) => {
    expect(nameFindings(name, 'fine').map(({ message }) => message)).toEqual([
      `"${name}" cannot be the name of an app: ${why}.`,
    ]);
    expect(nameFindings('fine', name).map(({ message }) => message)).toEqual([
      `"${name}" cannot be the name of a project: ${why}.`,
    ]);
  });

  test.each(['', ' ', 'a b', 'a;b', '$(x)', 'a\nb', '_a', 'a_', '.a', 'a.', 'wåve', 'x'.repeat(129)])('%j', (name) => {
    expect(nameFindings(name, name).map(({ code }) => code)).toEqual(['bad-name', 'bad-name']);
  });
});

test.each(['echo', 'test_hello_world', 'tests', 'a', '7', 'Wave.Bot-2', 'console', 'com', 'nully', 'x'.repeat(64)])(
  '%s is a good name',
  (name) => expect(nameFindings(name, name)).toEqual([]),
);

test('messages show a name on one short line', () => {
  const [finding] = nameFindings(`a\n\u202E${'b'.repeat(1000)}`, 'fine');
  expect(finding?.message).toMatch(/^"a b+…" cannot be the name of an app: letters/);
});
