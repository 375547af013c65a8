import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { readFrontMatter } from '../../app-package/front-matter.ts';
import { withFrontMatter, withOnlyPackage, withStaticFiles, withTag, withTitle } from './fix-texts.ts';

const texts = { title: 'My "app"', description: '' };
const crlf = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

describe('the tag is added beside the others, and the rest stays as it is', () => {
  test.each<[string, string]>([
    ['---\ntitle: A # first\n---\n# B\n', '---\ntitle: A # first\ntags:\n  - robot_python_app\n---\n# B\n'],
    ['---\ntags:\n  - one # why\ntitle: A\n---\n', '---\ntags:\n  - one # why\n  - robot_python_app\ntitle: A\n---\n'],
    ['---\ntags:\n- one\n- "two"\n---\nx', '---\ntags:\n- one\n- "two"\n- robot_python_app\n---\nx'],
    ['---\ntags: [one, two]\n---\n', '---\ntags: [one, two, robot_python_app]\n---\n'],
    ['---\ntags: [ ] # none\n---\n', '---\ntags: [robot_python_app ] # none\n---\n'],
    ['---\ntags: # later\ntitle: A\n---\n', '---\ntags: # later\n  - robot_python_app\ntitle: A\n---\n'],
    ['---\ntitle: A\ntags:\n---\n', '---\ntitle: A\ntags:\n  - robot_python_app\n---\n'],
    ['---\ntags: [robot_python_app]\n---\n', '---\ntags: [robot_python_app]\n---\n'],
  ])('%j', (before, after) => {
    expect(withTag(before)).toBe(after);
    expect(withTag(crlf(before))).toBe(crlf(after));
    expect(readFrontMatter(after).warnings).toEqual([]);
    expect(withTag(after)).toBe(after);
  });

  test('and tags of another form are left alone', () => {
    expect(withTag('---\ntags: one\n---\n')).toBeNull();
    expect(withTag('---\ntags: [\n---\n')).toBeNull();
    expect(withTag('# No front matter\n')).toBeNull();
  });
});

test('a title is added or filled', () => {
  expect(withTitle('---\nemoji: 👋\n---\n', 'A: b')).toBe('---\ntitle: "A: b"\nemoji: 👋\n---\n');
  expect(withTitle('---\nemoji: 👋\ntitle: "" # later\n---\n', 'A')).toBe('---\nemoji: 👋\ntitle: "A" # later\n---\n');
  expect(withTitle('---\ntitle: # later\nemoji: 👋\n---\n', 'A')).toBe('---\ntitle: "A" # later\nemoji: 👋\n---\n');
  expect(withTitle('---\ntitle:\n---\n', 'A')).toBe('---\ntitle: "A"\n---\n');
  expect(withTitle('---\ntitle: Mine\n---\n', 'A')).toBe('---\ntitle: Mine\n---\n');
});

test('a front matter is put before the text', () => {
  const fixed = withFrontMatter(crlf('# Hello\n'), texts);
  expect(fixed).toMatch(/^\uFEFF---\r\ntitle: "My \\"app\\""\r\n[\s\S]+\r\n---\r\n\r\n# Hello\r\n$/);
  expect(readFrontMatter(fixed.slice(1))).toMatchObject({
    warnings: [],
    frontMatter: { title: 'My "app"', emoji: '🤖', sdk: 'static', tags: ['robot_python_app'] },
  });
  expect(withFrontMatter(fixed, texts)).toBe(fixed);
});

describe('pyproject.toml', () => {
  const head = '[project]\nname = "x" # mine\n';
  const find = `${head}\n[tool.setuptools.packages.find] # all\nwhere = ["."]\n`;

  test('takes the package only', () => {
    const fixed = withOnlyPackage(find, 'my_app') ?? '';
    expect(fixed).toBe(find.replace('where', 'include = ["my_app", "my_app.*"]\nwhere'));
    expect(withOnlyPackage(crlf(find), 'my_app')).toBe(crlf(fixed));
    expect(withOnlyPackage(fixed, 'my_app')).toBeNull();
    expect(withOnlyPackage(`${head}[tool.setuptools]\npackages = { find = {} }\n`, 'my_app')).toBeNull();
  });

  test.each<[string, string]>([
    ['', '\n[tool.setuptools.package-data]\nmy_app = ["static/*", "static/**/*"]\n'],
    [
      '[tool.setuptools.package-data]\n"*" = ["*.json"]\n',
      '[tool.setuptools.package-data]\nmy_app = ["static/*", "static/**/*"]\n"*" = ["*.json"]\n',
    ],
    [
      '[tool.setuptools.package-data]\nmy_app = [ "*.json" ]\n',
      '[tool.setuptools.package-data]\nmy_app = ["static/*", "static/**/*",  "*.json" ]\n',
    ],
    [
      '[tool.setuptools.package-data]\nmy_app = [\n  "*.json", # data\n]\n',
      '[tool.setuptools.package-data]\nmy_app = ["static/*", "static/**/*", \n  "*.json", # data\n]\n',
    ],
  ])('installs the static files: %j', (before, after) => {
    const fixed = withStaticFiles(head + before, 'my_app');
    expect(fixed).toBe(head + after);
    expect(withStaticFiles(crlf(head + before), 'my_app')).toBe(crlf(head + after));
    expect(withStaticFiles(head + after, 'my_app')).toBeNull();
    parseToml(head + after);
  });

  test('is left alone when its tables have another form', () => {
    expect(withStaticFiles(`${head}[tool.setuptools]\npackage-data = { x = ["y"] }\n`, 'my_app')).toBeNull();
    expect(withStaticFiles('[project', 'my_app')).toBeNull();
  });
});
