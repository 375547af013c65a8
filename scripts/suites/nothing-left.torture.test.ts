import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';

/** Within the project, whose packages its tests import. */
let folder: string;
beforeAll(async () => {
  const cache = join(projectDir, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'leaky-tests-'));
  const setup = join(projectDir, 'scripts', 'suites', 'nothing-left.ts');
  await writeFile(
    join(folder, 'vitest.config.ts'),
    `export default { test: { isolate: false, maxWorkers: 1, setupFiles: [${JSON.stringify(setup)}] } };`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a test file with such a body in its only test. */
async function run(body: string): Promise<{ exitCode: number | undefined; said: string }> {
  await writeFile(
    join(folder, 'one.test.ts'),
    `import { test } from 'vitest';
     import { spawn } from 'node:child_process';
     import { mkdtempSync, rmSync } from 'node:fs';
     import { createServer } from 'node:net';
     import { tmpdir } from 'node:os';
     import { join } from 'node:path';
     test('it', async () => { ${body} });`,
  );
  const { exitCode, all } = await execa('vitest', ['run', '--root', folder], {
    ...{ cwd: projectDir, preferLocal: true, localDir: projectDir, all: true, reject: false, timeout: 60_000 },
  });
  return { exitCode, said: all };
}

test.each([
  ['a timer', 'setTimeout(() => {}, 60_000);', '1 × timer'],
  ['a server', `await new Promise((listens) => createServer().listen(0, '127.0.0.1', listens));`, '1 × server'],
  ['a child process', `spawn('sleep', ['5']);`, '1 × child process'],
  ['a temporary folder', `mkdtempSync(join(tmpdir(), 'forgotten-'));`, 'forgotten-'],
])('a file that leaves %s fails, and says so', async (_, body, said) => {
  expect(await run(body)).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining(`After its last test, this file leaves ${said}`),
  });
});

test('a file that leaves nothing passes', async () => {
  const nothing = `const own = mkdtempSync(join(tmpdir(), 'own-')); clearTimeout(setTimeout(() => {}, 60_000)); rmSync(own, { recursive: true });`;
  expect(await run(nothing)).toMatchObject({ exitCode: 0 });
});
