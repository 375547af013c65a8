/** Installing with venv and pip, which every Python brings. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installCases, toolCases } from '../../testing/apps/installer-cases.ts';
import { newDataDir, sampleApp, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { uvIsHere } from '../../testing/daemon/uv.ts';

const haveUv = await uvIsHere();

describe('with pip', () => {
  toolCases('pip');
  if (!haveUv) installCases('pip');
});

test('tools that were half made when the daemon was killed are made again', async () => {
  const dataDir = await newDataDir({ ownTools: true });
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  {
    await using first = await startTestDaemon({ dataDir, installer: 'pip' });
    expect(await first.install(sampleApp('dance'))).toMatchObject({ state: 'done' });
  }
  const tools = join(dataDir, 'tools');
  const [env] = (await readdir(tools)).filter((name) => name.startsWith('python-'));
  await rm(join(tools, env as string, 'ready'));
  await rm(join(tools, env as string, 'lib'), { recursive: true, force: true });
  await mkdir(join(dataDir, 'apps', 'half-made', 'envs', 'x'), { recursive: true });
  await using second = await startTestDaemon({ dataDir, installer: 'pip' });
  expect(await second.traces()).not.toContain('half-made');
  expect((await second.installed()).map(({ name }) => name)).toEqual(['dance']);
  expect(await second.install(sampleApp('hello_wave'))).toMatchObject({ state: 'done' });
});
