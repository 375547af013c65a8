import { describe, expect, test } from 'vitest';
import { hostWith } from '../testing/apps/host-pythons.ts';
import { checkApp } from './check-app.ts';
import type { PackageFiles } from './package-files.ts';

const host = hostWith(['3.11.7'], { standardModules: ['json', 'email', 'os'] });
const pyproject = (over = '', name = 'hello_wave', value = 'hello_wave.main:HelloWave') => `
[project]
name = "hello-wave"
version = "1.2.0"
description = "Waves."
requires-python = ">=3.10"
[project.entry-points.robot_apps]
${name} = "${value}"
${over}`;
const readme =
  '---\ntitle: Hello wave\nemoji: 👋\nshort_description: Waves at you.\ntags:\n  - robot_python_app\n---\n# Hi\n';
const main = 'class HelloWave: ...\nif __name__ == "__main__":\n    pass\n';

function files(over: Record<string, string | null> = {}): PackageFiles {
  const all: Record<string, string | null> = {
    'pyproject.toml': pyproject(),
    'README.md': readme,
    'hello_wave/main.py': main,
    ...over,
  };
  const paths = Object.keys(all).filter((path) => all[path] !== null);
  return {
    paths,
    pyproject: all['pyproject.toml'] ?? null,
    readme: all['README.md'] ?? null,
    read: async (path) => all[path] ?? null,
    largeFilePointers: async () => [],
  };
}
const codes = async (over: Record<string, string | null>) =>
  (await checkApp(files(over), host)).findings.map((finding) => `${finding.severity} ${finding.code}`);

test('a proper app gives its manifest and no finding', async () => {
  expect(await checkApp(files(), host)).toEqual({
    manifest: {
      name: 'hello_wave',
      distribution: 'hello-wave',
      version: '1.2.0',
      module: 'hello_wave.main',
      className: 'HelloWave',
      title: 'Hello wave',
      description: 'Waves at you.',
      emoji: '👋',
      requiresPython: '>=3.10',
      dependencies: [],
      baseline: true,
      needs: [],
    },
    python: (await host.choosePython('>=3.10')).chosen,
    findings: [],
  });
});

test('the names of entry point, package and distribution may differ, also under src/', async () => {
  const odd = {
    'pyproject.toml': pyproject('[tool.robot]\nbaseline = false', 'wave-bot', 'wavy.main:Bot'),
    'src/wavy/main.py': main,
  };
  expect((await checkApp(files(odd), host)).manifest).toMatchObject({
    name: 'wave-bot',
    module: 'wavy.main',
    baseline: false,
  });
});

test('an app in the group of another robot gets the advice to rename the group', async () => {
  const text = pyproject().replace('entry-points.robot_apps', 'entry-points.other_robot_apps');
  const { findings } = await checkApp(files({ 'pyproject.toml': text }), host);
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'no-entry-point',
      action: 'If the app is declared in other_robot_apps, rename that group to robot_apps. Then install it again.',
    }),
  );
});

describe('a package is not an app', () => {
  test.each<[string, Record<string, string | null>]>([
    ['no-pyproject', { 'pyproject.toml': null }],
    ['bad-pyproject', { 'pyproject.toml': '[project' }],
    ['bad-pyproject', { 'pyproject.toml': '[project]\nname = 3' }],
    ['bad-pyproject', { 'pyproject.toml': `# ${'x'.repeat(300_000)}${pyproject()}` }],
    ['bad-pyproject', { 'pyproject.toml': `x = ${'['.repeat(100_000)}` }],
    ['bad-pyproject', { 'pyproject.toml': pyproject('__proto__ = "a.b:C"') }],
    ['no-project', { 'pyproject.toml': '[tool.ruff]\nline-length = 100' }],
    ['no-entry-point', { 'pyproject.toml': '[project]\nname = "x"' }],
    ['two-entry-points', { 'pyproject.toml': pyproject('other = "hello_wave.main:Other"') }],
    ['bad-entry-point', { 'pyproject.toml': pyproject('', 'hello_wave', 'hello_wave.main') }],
    ['bad-entry-point', { 'pyproject.toml': pyproject('', 'x', '-c import os; os.system(1):A') }],
    ['shadows-sdk', { 'pyproject.toml': pyproject().replace('"hello-wave"', '"Robot_SDK"') }],
    ['shadows-standard-library', { 'pyproject.toml': pyproject('', 'j', 'json.main:A'), 'json/main.py': main }],
    ['shadows-sdk', { 'pyproject.toml': pyproject('', 'r', 'robot.main:A'), 'robot/main.py': main }],
    ['no-module', { 'hello_wave/main.py': null }],
    ['no-main-block', { 'hello_wave/main.py': 'class HelloWave: ...' }],
  ])('%s', async (code, over) => {
    expect(await codes(over)).toEqual([`problem ${code}`]);
    expect((await checkApp(files(over), host)).manifest).toBeNull();
  });
});

test('a missing quote is named with its line', async () => {
  const toml = '[project]\nname = "dance\nversion = "1.0.0"\n';
  const [finding] = (await checkApp(files({ 'pyproject.toml': toml }), host)).findings;
  expect(finding?.message).toMatch(/ in line 2, where a quote is missing\.$/);
  expect(finding).toMatchObject({ file: 'pyproject.toml', line: 2 });
});

test('a pyproject.toml that cannot be parsed is refused with the line', async () => {
  const toml = pyproject('[tool.robot.needs]\nchat = { task = "text-generation" ');
  const line = toml.slice(0, toml.indexOf('chat = {')).split('\n').length;
  const [finding] = (await checkApp(files({ 'pyproject.toml': toml }), host)).findings;
  expect(finding?.message).toMatch(/^pyproject\.toml cannot be read: (?!Invalid).+ in line \d+/);
  expect(finding?.message).toMatch(new RegExp(` in line ${line}\\b`));
});

test.each<[string, Record<string, string | null>]>([
  ['no-readme', { 'README.md': null }],
  ['no-front-matter', { 'README.md': '# Hello' }],
  ['bad-front-matter', { 'README.md': '---\ntags: [\n---\n' }],
  ['bad-front-matter', { 'README.md': '---\ntags: 3\n---\n' }],
  ['bad-front-matter', { 'README.md': `---\ntags: ${'['.repeat(10_000)}\n---\n` }],
  ['bad-front-matter', { 'README.md': `---\n${'# comment\n'.repeat(5_000)}tags: [robot_python_app]\n---\n` }],
  ['no-front-matter', { 'README.md': `---\ntitle: ${'x'.repeat(60_000)}` }],
  ['no-tag', { 'README.md': '---\ntitle: Hello\n---\n' }],
  ['unusual-module', { 'pyproject.toml': pyproject('', 'a', 'hello_wave.app:A'), 'hello_wave/app.py': main }],
])('%s is a warning: the app can be installed', async (code, over) => {
  expect(await codes(over)).toEqual([`warning ${code}`]);
  expect((await checkApp(files(over), host)).manifest).not.toBeNull();
});

test('endless YAML aliases are refused, and texts are cut to one bounded line', async () => {
  const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\n---\n`;
  expect(await codes({ 'README.md': bomb })).toEqual(['warning bad-front-matter']);
  const long = `---\ntitle: "two\\nlines\\u0007 ${'x'.repeat(500)}"\ntags: [robot_python_app]\n---\n`;
  const { manifest } = await checkApp(files({ 'README.md': long }), host);
  expect(manifest?.title).toMatch(/^two lines x+…$/);
  expect(manifest?.title).toHaveLength(80);
});
