import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from './python-env.ts';
import { PythonTools } from './python-tools.ts';

const facts = {
  ...{ executable: '/fake/python', version: '3.12.4', isFinal: true, isUsual: true, standardModules: [] },
  ...{ hasVenv: true, hasEnsurepip: true },
};

/** Tools on a machine without uv. @param index answers the download of uv */
async function toolsWithoutUv(index: () => Promise<string[]>) {
  const root = await mkdtemp(join(tmpdir(), 'python-tools-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const [sdkDir, python] = [join(root, 'assets', 'python-sdk'), join(root, 'python')];
  for (const folder of [join(sdkDir, 'robot'), join(root, 'assets', 'moves')]) await mkdir(folder, { recursive: true });
  await writeFile(join(sdkDir, 'pyproject.toml'), '');
  await writeFile(python, `#!/bin/sh\necho '${JSON.stringify(facts)}'\n`);
  await chmod(python, 0o755);
  const tools = new PythonTools({
    ...{ toolsDir: join(root, 'tools'), sdkDir, installerDir: root, wantedPython: python },
    installer: 'auto',
    installed: { find: async () => [] },
    childEnvironment: () => ({ PATH: join(root, 'empty') }),
    onStatus: () => {},
    log: createLogger('error', () => {}),
  });
  const ran: string[] = [];
  const run: RunStep = async (_file, args) => {
    const last = args.at(-1) ?? '';
    if (args.includes('venv')) {
      ran.push('environment of the tools');
      await mkdir(last, { recursive: true });
    } else if (args.includes('pip')) {
      ran.push(last);
      return index();
    } else {
      ran.push('wheel');
      await writeFile(join(last, 'robot_sdk-1.0.0-py3-none-any.whl'), '');
    }
    return [];
  };
  return { tools, run, ran };
}

const unreachable = () => new CommandFailed('python', 'ended with 1', 1, false, ['no route to host']);

test.skipIf(process.platform === 'win32')(
  'an install that needs no index does not wait for it, while uv is being fetched from there for the others',
  async () => {
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()];
    const { tools, run, ran } = await toolsWithoutUv(() => {
      asked.resolve();
      return answer.promise;
    });
    const python = await tools.python();
    const ahead = tools.prepare(python, run);
    await asked.promise;
    const ofSample = await tools.prepare(python, run, { needsIndex: false });
    expect([ofSample.installer.kind, tools.isPrepared]).toEqual(['pip', false]);
    answer.reject(unreachable());
    expect([(await ahead).installer.kind, tools.isPrepared]).toEqual(['pip', true]);
    expect(ran, 'each once').toEqual(['wheel', 'environment of the tools', 'uv']);
  },
);

test.skipIf(process.platform === 'win32')('an install that needs no index fetches nothing from it', async () => {
  const { tools, run, ran } = await toolsWithoutUv(() => Promise.reject(unreachable()));
  const { installer } = await tools.prepare(await tools.python(), run, { needsIndex: false });
  expect([installer.kind, ran]).toEqual(['pip', ['wheel', 'environment of the tools']]);
});

test.skipIf(process.platform === 'win32')(
  'the download of uv is tried again by the first install where it failed ahead of it, and then no more',
  async () => {
    const { tools, run, ran } = await toolsWithoutUv(() => Promise.reject(unreachable()));
    const python = await tools.python();
    await tools.prepare(python, run, { isAhead: true });
    expect(tools.isPrepared).toBe(false);
    for (let install = 0; install < 2; install += 1) {
      expect((await tools.prepare(python, run)).installer.kind).toBe('pip');
      expect([tools.isPrepared, ran]).toEqual([true, ['wheel', 'environment of the tools', 'uv', 'uv']]);
    }
  },
);
