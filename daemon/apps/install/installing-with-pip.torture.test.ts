/** Installing with venv and pip, which every Python brings. */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { installCases, toolCases } from '../../testing/apps/installer-cases.ts';
import { newDataDir, SHARED_TOOLS } from '../../testing/daemon/test-daemon.ts';
import { uvIsHere } from '../../testing/python/uv.ts';

const haveUv = await uvIsHere();

describe('with pip, after a daemon was killed while it created the tools, which are created again', () => {
  toolCases('pip', async () => {
    const dataDir = await newDataDir(['cache']);
    const [env = ''] = (await readdir(SHARED_TOOLS)).filter((name) => name.startsWith('python-'));
    const bin = join('tools', env, 'bin');
    await cp(join(SHARED_TOOLS, env, 'bin'), join(dataDir, bin), { recursive: true, verbatimSymlinks: true });
    return dataDir;
  });
  if (!haveUv) installCases('pip');
});
