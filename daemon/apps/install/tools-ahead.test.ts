import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import type { RunStep } from '../python/python-env.ts';
import { PythonMissing } from '../python/python-finder.ts';
import { ToolsAhead } from './tools-ahead.ts';

const python = { executable: process.execPath, version: '3.12.4', standardModules: new Set<string>() };

async function ahead({ isPrepared = false, prepare = async (_run: RunStep): Promise<void> => {} } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'tools-ahead-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const closing = new AbortController();
  const logged: string[] = [];
  let prepared = 0;
  const tools = {
    ...{ isPrepared, closing: closing.signal },
    python: async () => python,
    prepare: async (_python: typeof python, run: RunStep, how?: { readonly isAhead?: boolean }) => {
      expect(how).toEqual({ isAhead: true });
      prepared += 1;
      await prepare(run);
      return { python, installer: { kind: 'pip' }, sdkWheel: '' } as never;
    },
  };
  const own = new ToolsAhead({
    ...{ tools, downloadCaches: { ready: async () => {} }, workDir: join(root, 'work'), cacheDir: join(root, 'cache') },
    childEnvironment: () => ({}),
    log: createLogger('info', (line) => logged.push(line.slice(13).trimEnd())),
  });
  return { own, closing, logged, prepared: () => prepared, left: () => readdir(join(root, 'work')) };
}

test('the tools are prepared once, with a folder of their own that is gone afterwards', async () => {
  const seen: string[] = [];
  const { own, prepared, left, logged } = await ahead({
    prepare: async (run) => {
      seen.push(...(await run(process.execPath, ['-e', 'console.log(process.env.TMPDIR)'])));
    },
  });
  await Promise.all([own.begin(), own.begin()]);
  await own.begin();
  expect([prepared(), seen, await left(), logged]).toEqual([1, [expect.stringMatching(/tools-\w+$/)], [], []]);
});

test('tools that are prepared are left alone', async () => {
  const { own, prepared } = await ahead({ isPrepared: true });
  await own.begin();
  expect(prepared()).toBe(0);
});

test('a failure is logged, and left to the first install', async () => {
  const missing = new PythonMissing('There is no Python.', 'Install one.');
  const { own, logged, left } = await ahead({ prepare: () => Promise.reject(missing) });
  await own.begin();
  expect([logged, await left()]).toEqual([['info  apps: no tools are prepared ahead: There is no Python.'], []]);
});

test('a daemon that ends ends it, without a word', async () => {
  const { own, closing, logged, left } = await ahead({
    prepare: async (run) => {
      setImmediate(() => closing.abort(new Error('closing')));
      await run(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    },
  });
  await own.begin();
  expect([logged, await left()]).toEqual([[], []]);
});
