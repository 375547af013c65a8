import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from '../../environment/project.ts';
import { reportFolder } from './report-folder.ts';

test('the folder of a report is removed at its end, with what is in it', () => {
  const before = process.listenerCount('SIGTERM');
  const folder = reportFolder();
  expect(existsSync(folder.path)).toBe(true);
  folder[Symbol.dispose]();
  expect([existsSync(folder.path), process.listenerCount('SIGTERM')]).toEqual([false, before]);
});

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a run, and leaves no folder of its reports',
  async (signal) => {
    const module = join(projectDir, 'scripts', 'suites', 'programs', 'report-folder.ts');
    const program = `
      const { reportFolder } = await import('${module}');
      setInterval(() => {}, 1_000);
      console.log([reportFolder(), reportFolder()].map(({ path }) => path).join(','));`;
    const child = execa(process.execPath, ['--input-type=module', '--eval', program], { reject: false });
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const paths = printed.toString().trim().split(',');
    expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
    child.kill(signal);
    expect((await child).signal).toBe(signal);
    expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
  },
);
