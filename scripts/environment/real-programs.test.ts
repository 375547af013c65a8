/** They start the git and the python3 of this machine. */
import { chmod, mkdir, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { withRealPrograms } from './real-programs.ts';

const { stdout: python } = await execa('python3', ['-I', '-c', 'import sys; print(sys.executable)']);
const { stdout: gitFolder } = await execa('git', ['--exec-path']);
const programs = { python3: python, node: process.execPath, git: join(gitFolder, 'git') };

async function script(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, name), 0o755);
  return folder;
}

test('the real programs come before scripts that find them, after the folders before those', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'real-programs-'));
  const [shims, links] = [join(folder.path, 'shims'), join(folder.path, 'links')];
  const called = join(folder.path, 'called');
  for (const [name, program] of Object.entries(programs))
    await script(shims, name, `echo ${name} >>'${called}'\nexec '${program}' "$@"`);
  const path = withRealPrograms(['/nowhere', shims, '/usr/bin'].join(delimiter), links);
  expect(path.split(delimiter)).toEqual([
    '/nowhere',
    expect.stringContaining(links),
    expect.stringContaining(links),
    dirname(python),
    shims,
    '/usr/bin',
  ]);
  expect(withRealPrograms(path, links)).toBe(path);

  await writeFile(called, '');
  const run = (program: string, ...args: string[]) =>
    execa(program, args, { env: { PATH: path }, cwd: folder.path }).then(({ stdout }) => stdout);
  expect(await run('git', 'init', 'repository')).toContain('repository');
  expect(await run('node', '--print', 'process.execPath')).toBe(process.execPath);
  await run('python3', '-m', 'venv', '--without-pip', 'environment');
  const inEnvironment = join(folder.path, 'environment', 'bin', 'python');
  expect(await run(inEnvironment, '-c', 'import json, sys; print(sys.base_prefix)')).toBe(
    await run(python, '-c', 'import sys; print(sys.base_prefix)'),
  );
  expect(await readFile(join(folder.path, 'environment', 'pyvenv.cfg'), 'utf8')).not.toContain(links);
  expect(await readFile(called, 'utf8'), 'the scripts that were called').toBe('');
});

test('PATH stays when the programs are no scripts, a script fails, or they are missing', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'real-programs-'));
  const [broken, real] = [join(folder.path, 'broken'), join(folder.path, 'real')];
  await mkdir(real);
  for (const [name, program] of Object.entries(programs)) {
    await symlink(program, join(real, name));
    if (name !== 'node') await script(broken, name, 'exit 1');
  }
  for (const path of [real, broken, '/nowhere', ''])
    expect(withRealPrograms(path, join(folder.path, 'links'))).toBe(path);
});
