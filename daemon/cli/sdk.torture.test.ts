/** `robot-daemon sdk path`: what it prints is installed into an author's own environment, where a created app then works. */
import { randomUUID } from 'node:crypto';
import { access, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../assistant/create/create-app.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { mayMount, smallDisk } from '../testing/disks/small-disk.ts';
import { createPythonEnvironment, pythonOf } from '../testing/python/python-environment.ts';
import { sdkPath } from './sdk.ts';

const mounts = await mayMount();
if (!mounts) console.warn('SKIPPED: an SDK that can only be read, because no disk may be mounted here');

const env = childEnvironment(process.env, randomUUID());
let root: string;
beforeAll(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'robot-desktop-sdk-')), 'mit Leerzeichen ü');
  await mkdir(root);
});
afterAll(() => rm(dirname(root), { recursive: true, force: true }));

const run = (file: string, args: readonly string[], cwd = root) =>
  runCommand(file, args, { env, cwd, deadlineMs: 100_000, moreEnv: { PIP_NO_INDEX: '1' } });

test('it prints the file alone, the same one each time', async () => {
  const dataDir = join(root, 'data');
  const first = await runCli('sdk', 'path', '--data-dir', dataDir);
  expect(first).toMatchObject({ code: 0, text: first.out });
  expect(basename(first.out)).toBe('robot_sdk-1.0.0-py3-none-any.whl\n');
  await access(first.out.trimEnd());
  expect(await runCli('sdk', 'path', '--data-dir', dataDir)).toEqual(first);
});

test.each([[[]], [['folder']], [['path', 'more']]])('it refuses the arguments %j', async (args) => {
  expect(await runCli('sdk', ...args, '--data-dir', root)).toMatchObject({ code: 2, out: '' });
});

describe('in an environment of the author, without a package index', () => {
  const venv = () => join(root, 'venv');
  let folder: string;
  let hasPytest = true;

  beforeAll(async () => {
    const created = await createApp(
      { name: 'My first app', destination: root, template: 'default' },
      { templatesDir: join(projectDir, 'assets', 'app-templates') },
    );
    folder = created.folder;
    await createPythonEnvironment(venv(), ['pip', 'pytest'], env).catch(async (error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      hasPytest = false;
      await createPythonEnvironment(venv(), [], env);
    });
    const { out } = await runCli('sdk', 'path', '--data-dir', join(root, 'data'));
    await run(pythonOf(venv()), ['-m', 'pip', 'install', out.trimEnd()]);
  });

  test('the SDK and the app can be imported, the app from its folder', async () => {
    await run(pythonOf(venv()), ['-m', 'pip', 'install', '--no-build-isolation', '-e', '.'], folder);
    const script = 'import robot, my_first_app.main as app; print(app.__file__); print(app.MyFirstApp().speed)';
    expect(await run(pythonOf(venv()), ['-B', '-c', script])).toEqual([join(folder, 'my_first_app', 'main.py'), '1.0']);
  });

  test("the app's tests pass, without an install of the app", async (context) => {
    if (!hasPytest) return context.skip('pytest cannot be had');
    const lines = await run(pythonOf(venv()), ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'], folder);
    expect(lines.at(-1)).toMatch(/^3 passed/);
  });

  test('type checkers find no error in the app', async () => {
    const pyright = join(projectDir, 'node_modules', '.bin', 'pyright');
    const lines = await run(pyright, ['--pythonpath', pythonOf(venv()), folder]);
    expect(lines.at(-1)).toBe('0 errors, 0 warnings, 0 informations');
  });
});

test.skipIf(!mounts)('an SDK that can only be read is installed too', async () => {
  await using disk = (await smallDisk(32)) ?? expect.fail('no disk');
  const parts = ['python-sdk', 'moves', 'installer'];
  for (const part of parts)
    await cp(join(projectDir, 'assets', part), join(disk.dir, 'assets', part), { recursive: true });
  const makeWritable = await disk.makeReadOnly();
  const wheel = await sdkPath(dataPaths(join(root, 'other data')), disk.dir);
  await makeWritable();
  expect(await readdir(dirname(wheel))).toEqual(['constraints.txt', basename(wheel)]);
});
