import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';

test.skipIf(process.platform === 'win32')('a busy process ends after its parent was killed', async () => {
  const module = join(projectDir, 'scripts', 'suites', 'busy-process.ts');
  const code = `const { startBusyProcess } = await import('${module}'); console.log(startBusyProcess().pid);`;
  const parent = execa(process.execPath, ['--eval', code], { reject: false });
  const [pid] = await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await parent;
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
