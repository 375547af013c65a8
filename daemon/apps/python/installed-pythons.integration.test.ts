/** The search for interpreters, among fake ones: programs that answer the probe. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeFakePython, writeProgram } from '../../testing/apps/fake-python.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { InstalledPythons, launcherPrograms } from './installed-pythons.ts';

describe.skipIf(process.platform === 'win32')('on a machine with many programs', () => {
  let home: string;
  let installed: InstalledPythons;
  const options = () => ({
    env: { PATH: '/bin' },
    installerDir: join(projectDir, 'assets', 'installer'),
    signal: AbortSignal.timeout(60_000),
  });
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'robot-desktop-pythons-'));
    const env = { HOME: home, PATH: `${home}/path:${home}/venv/bin:/bin` };
    installed = new InstalledPythons(() => env, home, 'linux');
    const fakes: [string, string, Parameters<typeof writeFakePython>[2]?][] = [
      ['path/python3.70', '3.70.1'],
      ['path/python3', '3.71.0'],
      ['.pyenv/versions/3.72.3/bin/python3.72', '3.72.3'],
      ['.local/share/uv/python/cpython-3.73.1-linux-x86_64-gnu/bin/python3.73', '3.73.1'],
      ['.local/bin/python3.74', '3.74.0', { hasEnsurepip: false }],
      ['pythons/cpython-3.75.10-linux-x86_64-gnu/bin/python3.75', '3.75.10'],
      ['.asdf/installs/python/3.75.9/bin/python3', '3.75.9'],
      ['path/python3.80', '3.80.0', { isFinal: false }],
      ['.pyenv/versions/pypy3.81/bin/python3', '3.81.0', { isUsual: false }],
      ['path/python3.82', '3.82.0', { hasVenv: false }],
      ['path/python3.9', '3.9.18'],
    ];
    for (const [path, version, given] of fakes) await writeFakePython(join(home, path), version, given);
    await writeProgram(
      join(home, 'path/python3.83'),
      '#!/bin/sh\necho "pyenv: python3.83: command not found" >&2; exit 127\n',
    );
    await writeProgram(join(home, 'path/python3.84'), '#!/bin/sh\necho \'{"version": "3.84.0"}\'\n');
    await writeProgram(join(home, 'path/python3.85-config'), '#!/bin/sh\ntouch ran\n');
    await writeProgram(join(home, 'venv/bin/activate'), '');
    // The same interpreter by other ways, as in a virtual environment.
    await symlink('../../path/python3.70', join(home, 'venv/bin/python'));
    await symlink('python3.70', join(home, 'path/python'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  /** Without the real ones of this machine. */
  const found = async () => (await installed.find(options())).filter(({ executable }) => executable.startsWith(home));

  test('final releases of the usual kind are found once, the newest first', async () => {
    expect((await found()).map(({ version }) => version)).toEqual([
      ...['3.75.10', '3.75.9', '3.74.0', '3.73.1', '3.72.3', '3.71.0', '3.70.1'],
    ]);
  });

  test('one that is installed, replaced or removed later is noticed', async () => {
    await writeFakePython(join(home, 'path/python3.90'), '3.90.0');
    expect((await found())[0]?.version).toBe('3.90.0');
    await writeFakePython(join(home, 'path/python3.90'), '3.90.1');
    expect((await found())[0]?.version).toBe('3.90.1');
    await rm(join(home, 'path/python3.90'));
    expect((await found())[0]?.version).toBe('3.75.10');
  });

  test('a cancel ends the search', async () => {
    await expect(installed.find({ ...options(), signal: AbortSignal.abort(new Error('cancelled')) })).rejects.toThrow(
      'cancelled',
    );
  });
});

test("the interpreters of Windows' launcher", () => {
  const lines = [
    ' -V:3.13 *        C:\\Users\\Ada Lovelace\\AppData\\Local\\Programs\\Python\\Python313\\python.exe',
    ' -V:3.12          C:\\Python312\\python.exe',
    ' -3.10-64         C:\\Python310\\python.exe',
    'No installed Pythons found!',
    ' -V:3.9 *         ',
  ];
  expect(launcherPrograms(lines)).toEqual([
    'C:\\Users\\Ada Lovelace\\AppData\\Local\\Programs\\Python\\Python313\\python.exe',
    'C:\\Python312\\python.exe',
    'C:\\Python310\\python.exe',
  ]);
});
