import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunStep } from './python-env.ts';
import { findUv, toolEnvironments } from './uv-and-pip.ts';

/** Runs nothing; programs that are not listed fail. */
function runs(...programs: string[]): RunStep {
  return async (file) => {
    if (!programs.includes(file)) throw new Error(`${file} does not run`);
    return ['uv 1.0'];
  };
}
const uvIn = (folder: string) =>
  process.platform === 'win32' ? join(folder, 'Scripts', 'uv.exe') : join(folder, 'bin', 'uv');

test('uv on PATH comes first, then the environments in their order', async () => {
  expect(await findUv(['a', 'b'], runs('uv', uvIn('a')))).toBe('uv');
  expect(await findUv(['a', 'b'], runs(uvIn('a'), uvIn('b')))).toBe(uvIn('a'));
  expect(await findUv(['a', 'b'], runs(uvIn('b')))).toBe(uvIn('b'));
  expect(await findUv(['a', 'b'], runs())).toBeNull();
});

test('tool environments are listed without other files; a missing folder has none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tools-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'python-3.12.1-0123abcd'));
  await mkdir(join(folder, 'sdk-0123'));
  await writeFile(join(folder, 'notes'), '');
  expect(await toolEnvironments(folder)).toEqual([join(folder, 'python-3.12.1-0123abcd')]);
  expect(await toolEnvironments(join(folder, 'nowhere'))).toEqual([]);
});
