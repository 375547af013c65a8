import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

interface Outcome {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** Runs a test file with such a body in its only test. */
async function run(body: string): Promise<Outcome> {
  await writeFile(join(folder, 'one.test.ts'), `import { test } from 'vitest';\n${testWith(body)}`);
  return await start('vitest', ['run', '--root', folder]);
}

/** The same as a journey. It is plain JavaScript, since Playwright leaves TypeScript in node_modules as it is. */
async function runJourney(body: string): Promise<Outcome> {
  const fixture = join(projectDir, 'e2e', 'nothing-left.ts');
  await writeFile(join(folder, 'one.spec.mjs'), `import { test } from ${JSON.stringify(fixture)};\n${testWith(body)}`);
  return await start('playwright', ['test', 'one.spec', '--config', folder, '--reporter=line']);
}

const testWith = (body: string) => `
  import { spawn } from 'node:child_process';
  import { mkdtempSync, rmSync } from 'node:fs';
  import { connect, createServer } from 'node:net';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  test('it', async () => { ${body} });`;

async function start(program: string, args: readonly string[]): Promise<Outcome> {
  const options = { cwd: projectDir, preferLocal: true, localDir: projectDir, all: true, reject: false } as const;
  const env = { PWTEST_CACHE_DIR: join(folder, 'transformed') }; // else Playwright's in the temporary folder of this test
  const { exitCode, all } = await execa(program, args, { ...options, env, timeout: 60_000 });
  return { exitCode, output: all };
}

const server = `await new Promise((listens) => createServer().listen(0, '127.0.0.1', listens));`;
/** Both of its ends. */
const connection = `await new Promise((connects) => {
  const server = createServer().listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1'));
  server.once('connection', () => server.close()).once('connection', connects);
});`;
const child = `spawn('sleep', ['5']);`;
const temporary = `mkdtempSync(join(tmpdir(), 'forgotten-'));`;
const nothing = `const own = mkdtempSync(join(tmpdir(), 'own-')); clearTimeout(setTimeout(() => {}, 60_000)); rmSync(own, { recursive: true });`;

test.each([
  ['a timer', 'setTimeout(() => {}, 60_000);', '1 × timer'],
  ['a server', server, '1 × server'],
  ['a connection', connection, '2 × socket'],
  ['a child process', child, '1 × child process'],
  ['a temporary folder', temporary, 'forgotten-'],
])('a file that leaves %s fails, and says so', async (_, body, leftover) => {
  expect(await run(body)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining(`After its last test, this file leaves ${leftover}`),
  });
});

test('a file that leaves nothing passes', async () => {
  expect(await run(nothing)).toMatchObject({ exitCode: 0 });
});

test.each([
  ['whose tests are all skipped', "test.skip('it', () => {});"],
  ['that cannot be loaded', "throw new Error('not loaded');"],
])('a file %s leaves no folder', async (_, code) => {
  await writeFile(join(folder, 'one.test.ts'), `import { test } from 'vitest';\n${code}`);
  await start('vitest', ['run', '--root', folder]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('robot-test-'))).toEqual([]);
});

test('a worker of journeys that leaves something fails, and says so with its journeys', async () => {
  const { exitCode, output } = await runJourney([server, child, temporary].join('\n'));
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    /After its last journey, this worker leaves 1 × child process, 1 × server, the process sleep 5, forgotten-\w+\./,
  );
  expect(output).toMatch(/Failed worker ran 1 test:\W.*one\.spec\.mjs/s);
});

test('a worker of journeys that leaves nothing passes', async () => {
  expect(await runJourney(nothing)).toMatchObject({ exitCode: 0 });
});
