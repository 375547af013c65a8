import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s lets a trial take its fault out', async (name) => {
  const module = join(projectDir, 'scripts', 'faults', 'interruption.ts');
  const code = `
    const { interruption } = await import('${module}');
    const waits = setInterval(() => {}, 1_000);
    interruption().addEventListener('abort', () => { clearInterval(waits); console.log('taken out'); });
    console.log('planted');`;
  const program = execa(process.execPath, ['--eval', code]);
  await once(program.stdout, 'data');
  program.kill(name);
  expect((await program).stdout).toBe('planted\ntaken out');
});
