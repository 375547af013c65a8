import { mkdir, mkdtempDisposable, realpath, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { wheelFolderName } from '../apps/python/sdk-wheel.ts';
import { systemClock } from '../shared/clock.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { checkTools } from './tool-checks.ts';

test('the wheel of the SDK in use is kept, also where that of another version was built later', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tool-checks-'));
  const root = await realpath(folder.path);
  const sdkDir = join(root, 'assets', 'python-sdk');
  for (const dir of [join(sdkDir, 'robot'), join(root, 'assets', 'moves')]) await mkdir(dir, { recursive: true });
  await writeFile(join(sdkDir, 'pyproject.toml'), '[project]\nversion = "1.0.0"\n');
  const paths = dataPaths(join(root, 'data'));
  const addWheel = async (name: string) => {
    const dir = join(paths.tools, name);
    await mkdir(dir, { recursive: true });
    const wheel = pathToFileURL(join(dir, 'robot_sdk-1.0.0-py3-none-any.whl')).href;
    await writeFile(join(dir, 'constraints.txt'), `robot-sdk @ ${wheel}\n`);
    return dir;
  };
  await utimes(await addWheel(await wheelFolderName(sdkDir)), 0, 0);
  const other = await addWheel('sdk-0123456789abcdef');
  const run = async () => [];
  const context = {
    ...{ paths, sdkDir, run, isHeld: false, heldSince: null, runningApp: () => null, python: null, uv: null },
    ...{ installerDir: '', samplesDir: '', onDetail: () => {} },
  };
  expect(await checkTools({ ...context, clock: systemClock })).toMatchObject([
    { code: 'tools-old', fix: { kind: 'remove', paths: [other] } },
  ]);
});
