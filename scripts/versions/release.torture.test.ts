import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { inputsOf, recordRun } from '../suites/torture-ledger.ts';

const CHANGELOG =
  '# Changelog\n\nNewest first.\n\n## Unreleased\n\n- It dances.\n\n## 0.1.0 (2026-01-01)\n\n- It waves.\n';
let folder: string;
const git = async (...args: string[]) => (await execa('git', args, { cwd: folder })).stdout;
const read = (name: string) => readFile(join(folder, name), 'utf8');

async function release(...args: string[]) {
  const program = join(projectDir, 'scripts', 'release.ts');
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args, '--folder', folder], {
    reject: false,
  });
  return { exitCode, output: stdout + stderr };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-release-'));
  await writeFile(join(folder, 'package.json'), '{\n  "name": "robot",\n  "version": "0.1.0"\n}\n');
  const lock = { name: 'robot', version: '0.1.0', packages: { '': { version: '0.1.0' }, other: { version: '0.1.0' } } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock, null, 2));
  await writeFile(join(folder, 'CHANGELOG.md'), CHANGELOG);
  await mkdir(join(folder, 'scripts', 'suites'), { recursive: true });
  await git('init', '--quiet');
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@robot-desktop.invalid'],
  ] as const)
    await git('config', key, value);
  for (const [area, inputs] of Object.entries(inputsOf(folder)))
    recordRun(area, inputs, '1', { passed: 1, failed: 0, skipped: 0 }, folder);
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'First');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('one command gives the version to the package and to the news, and commits and tags it', async () => {
  expect(await release('0.2.0')).toEqual({
    exitCode: 0,
    output: '0.2.0 is committed and tagged, and not published. To publish it: git push --follow-tags',
  });
  expect(await git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
  expect(await git('describe', '--exact-match')).toBe('v0.2.0');
  expect(await git('status', '--porcelain')).toBe('');
  expect(JSON.parse(await read('package.json')).version).toBe('0.2.0');
  expect(JSON.parse(await read('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, other: { version: '0.1.0' } },
  });
  const today = new Date().toISOString().slice(0, 10);
  expect(await read('CHANGELOG.md')).toBe(
    CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 0.2.0 (${today})\n`),
  );
  // The next one needs news again.
  expect((await release('0.3.0')).output).toContain('CHANGELOG.md lists nothing under "## Unreleased".');
});

test('a bad version is refused in a sentence, and changes nothing', async () => {
  expect(await release('0.1.0')).toEqual({
    exitCode: 1,
    output: 'Nothing is released. 0.1.0 is not newer than 0.1.0, the version in package.json. Try 0.2.0.',
  });
  expect(await git('status', '--porcelain')).toBe('');
});

test('uncommitted changes, a tag that exists, and a tag or a commit that Git refuses are reported', async () => {
  const before = await git('rev-parse', 'HEAD');
  await git('tag', 'v0.4.0/beta'); // leaves no place for the tag v0.4.0
  expect((await release('0.4.0')).output).toContain('Nothing is released. Git refused it:');
  expect(await git('rev-parse', 'HEAD')).toBe(before);
  await git('tag', 'v0.2.0');
  expect((await release('0.2.0')).output).toContain('The tag v0.2.0 exists already.');
  await writeFile(join(folder, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\necho no >&2; exit 1\n', { mode: 0o755 });
  expect((await release('0.3.0')).output).toContain('Git refused it: no');
  expect(await git('status', '--porcelain')).toBe('');
  await writeFile(join(folder, 'forgotten.ts'), '');
  expect((await release('0.3.0')).output).toContain('?? forgotten.ts');
  await writeFile(join(folder, 'CHANGELOG.md'), 'x');
  expect((await release('0.3.0')).output).toContain('There are changes that are not committed.');
});

test('an area that has changed since its long run stops a release, and so does one that failed', async () => {
  await mkdir(join(folder, 'daemon', 'robot'), { recursive: true });
  await writeFile(join(folder, 'daemon', 'robot', 'robot.ts'), 'export {};\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Second');
  recordRun('sdk', inputsOf(folder)['sdk'] ?? '', '1', { passed: 1, failed: 1, skipped: 0 }, folder);
  await git('commit', '--quiet', '--all', '--message', 'Third');
  const { exitCode, output } = await release('0.2.0');
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    /sdk failed in its long run of .*\nrobot has changed since its long run of .*\nRun: npm run torture/,
  );
  expect(await git('log', '-1', '--format=%s')).toBe('Third');
});
