import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { type KeyPath, tomlLines } from './toml-lines.ts';

const document = `# A comment with [brackets] = "and more"
title = "a # in a text"

[project] # the table
name = 'it''s' # not TOML, but skipped
"quoted.key" = 1
dotted.inner.deep = true
dependencies = [
  "robot-sdk", # [first]
  'numpy>=1.26',
  { name = "inline", extras = ["a", "b"] },
]
text = """
[not.a.table]
key = "no key"
"""
raw = '''
[nor.this]'''

[project.entry-points."robot_apps"]
dance = "dance.main:Dance"

[tool.robot.needs]
chat = { task = "text-generation",
         optional = true }

[[tool.list]]
one = 1
[[tool.list]]
one = 2
[tool.list.inner]
x = [[1,
  2], 3]
last = 2026-01-01T00:00:00Z
`.replace("'it''s' # not TOML, but skipped", "'its'");

test.each<[KeyPath, number]>([
  [['title'], 2],
  [['project'], 4],
  [['project', 'name'], 5],
  [['project', 'quoted.key'], 6],
  [['project', 'dotted'], 7],
  [['project', 'dotted', 'inner', 'deep'], 7],
  [['project', 'dependencies'], 8],
  [['project', 'dependencies', 0], 9],
  [['project', 'dependencies', 1], 10],
  [['project', 'dependencies', 2, 'extras', 1], 11],
  [['project', 'text'], 13],
  [['project', 'raw'], 17],
  [['project', 'entry-points'], 20],
  [['project', 'entry-points', 'robot_apps', 'dance'], 21],
  [['tool', 'robot', 'needs', 'chat', 'task'], 24],
  [['tool', 'robot', 'needs', 'chat', 'optional'], 25],
  [['tool', 'list', 0, 'one'], 28],
  [['tool', 'list', 1, 'one'], 30],
  [['tool', 'list', 1, 'inner', 'x', 0, 1], 33],
  [['tool', 'list', 1, 'inner', 'last'], 34],
])('the line of %j is %i', (path, line) => {
  parse(document);
  expect(tomlLines(document)(path)).toBe(line);
  expect(tomlLines(document.replaceAll('\n', '\r\n'))(path)).toBe(line);
});

test('a key that is not there has the line of the nearest key above it', () => {
  expect(tomlLines(document)(['project', 'version'])).toBe(4);
  expect(tomlLines(document)(['project', 'entry-points', 'other', 'x'])).toBe(20);
  expect(tomlLines(document)(['nowhere'])).toBeNull();
});

test('a text that is no TOML ends', () => {
  for (const text of ['[', '[[a', 'a = [', 'a = {', '= = =', ']]]', 'a = {{{', '"""', 'a = [[[', '\0', 'a.b.']) {
    expect(tomlLines(text)(['x'])).toBeNull();
  }
});
