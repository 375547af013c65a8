/** Installing with venv and pip, which every Python brings. */
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installCases, toolCases } from '../../testing/apps/installer-cases.ts';
import { newDataDir, SHARED_TOOLS, sampleApp, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { uvIsHere } from '../../testing/daemon/uv.ts';

const haveUv = await uvIsHere();

describe('with pip', () => {
  toolCases('pip');
  if (!haveUv) installCases('pip');
});

test('tools that were half made when the daemon was killed are made again', async () => {
  const dataDir = await newDataDir(['cache']);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const tools = join(dataDir, 'tools');
  {
    await symlink(SHARED_TOOLS, tools);
    await using first = await startTestDaemon({ dataDir });
    expect(await first.install(sampleApp('dance'))).toMatchObject({ state: 'done' });
    await rm(tools);
  }
  const [env = ''] = (await readdir(SHARED_TOOLS)).filter((name) => name.startsWith('python-'));
  await cp(join(SHARED_TOOLS, env, 'bin'), join(tools, env, 'bin'), { recursive: true, verbatimSymlinks: true });
  await mkdir(join(dataDir, 'apps', 'half-made', 'envs', 'x'), { recursive: true });
  await using second = await startTestDaemon({ dataDir, installer: 'pip' });
  expect(await second.traces()).not.toContain('half-made');
  expect((await second.installed()).map(({ name }) => name)).toEqual(['dance']);
  expect(await second.install(sampleApp('hello_wave'))).toMatchObject({ state: 'done' });
});
