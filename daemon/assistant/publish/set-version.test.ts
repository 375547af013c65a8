import { expect, test } from 'vitest';
import { withVersion } from './version.ts';

test.each([
  ['[project]\nname = "a"\nversion = "1"  # mine\n', '[project]\nname = "a"\nversion = "2"  # mine\n'],
  ["[project]\r\nversion='1'\r\nname = 'a'\r\n", "[project]\r\nversion='2'\r\nname = 'a'\r\n"],
  ['[ project ]\n  "version"   =   "1"\n', '[ project ]\n  "version"   =   "2"\n'],
  ['project.version = "1"\nproject.name = "a"\n', 'project.version = "2"\nproject.name = "a"\n'],
  [
    '[tool.x]\nversion = "1"\n[project]\nversion = "1"\n[other]\nversion = "1"\n',
    '[tool.x]\nversion = "1"\n[project]\nversion = "2"\n[other]\nversion = "1"\n',
  ],
  [
    '[project]\ndescription = """\nversion = "1"\n"""\nversion = "1"',
    '[project]\ndescription = """\nversion = "1"\n"""\nversion = "2"',
  ],
  ['[[x]]\nversion = "1"\n["project"]\nversion = "1"\n', '[[x]]\nversion = "1"\n["project"]\nversion = "2"\n'],
  ['\uFEFF[project]\nversion = "1"\n', '\uFEFF[project]\nversion = "2"\n'],
])('only the version changes: %j', (before, after) => {
  expect(withVersion(before, '2')).toBe(after);
});

test.each([
  ['[project]\nname = "a"\ndynamic = ["version"]\n'],
  ['project = { version = "1" }\n'],
  ['[project]\nversion = """1"""\n'],
  ['[project\n'],
])('what cannot be changed safely stays: %j', (before) => {
  expect(withVersion(before, '2')).toBeNull();
});
