import { once } from 'node:events';
import { copyFile, mkdtempDisposable, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { endWindowProcesses, orphanedParts } from './window-processes.ts';

const main = (pid: number) => ({ pid, parent: 1, isPart: false });
const part = (pid: number, parent: number) => ({ pid, parent, isPart: true });

test('the parts of a browser that has ended are orphaned, also those that other parts have started', () => {
  expect(orphanedParts([part(20, 1), part(21, 20), part(22, 900)])).toEqual([20, 21, 22]);
});

test('an instance of the program keeps its parts, and is none itself', () => {
  expect(orphanedParts([main(10), part(11, 10), part(12, 11), part(20, 1)])).toEqual([20]);
});

test.skipIf(process.platform !== 'linux')('a part of a program whose file was replaced is ended too', async () => {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), 'robot-desktop-window-'));
  onTestFinished(() => folder.remove());
  const program = join(folder.path, 'program');
  await copyFile('/bin/sh', program);
  // Its parent is this test, which is no process of the program.
  const part = execa(program, ['-c', 'echo ready; read -r line', '--type=utility'], { reject: false });
  onTestFinished(() => void part.kill('SIGKILL'));
  await once(part.stdout, 'data');
  await rm(program);
  expect(await endWindowProcesses(program, 5_000)).toBe(true);
  expect(await part).toMatchObject({ signal: 'SIGKILL' });
});
