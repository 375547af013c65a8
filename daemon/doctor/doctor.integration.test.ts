/** A real data folder with an installed app, broken in each way: what the doctor finds, mends, and whether the app starts. */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AppPointer, POINTER } from '../apps/app-pointer.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/child-environment.ts';
import { dataPaths } from '../shared/data-paths.ts';
import { readJsonFile, writeJsonFile } from '../shared/json-file.ts';
import { startTimeOf } from '../shared/process-identity.ts';
import { startDaemonProcess } from '../testing/daemon-process.ts';
import { runCli } from '../testing/run-cli.ts';
import { newDataDir, SHARED_TOOLS, sampleApp, startTestDaemon } from '../testing/test-daemon.ts';
import { type Diagnosis, runnerFor } from './examine.ts';
import type { Finding, Mended } from './finding.ts';
import { mendFolder } from './mend.ts';
import { checkTools } from './tool-checks.ts';

/** With two versions of hello_wave, the same in all but their environments, and something that the app has written. */
let healthy: string;
let dataDir: string;

beforeAll(async () => {
  healthy = await newDataDir();
  {
    await using daemon = await startTestDaemon({ dataDir: healthy, wakeUpOnStart: false });
    for (let version = 0; version < 2; version++)
      expect(await daemon.install(sampleApp('hello_wave'))).toMatchObject({ state: 'done' });
  }
  await mkdir(join(healthy, 'apps', 'hello-wave', 'files'), { recursive: true });
  await writeFile(join(healthy, 'apps', 'hello-wave', 'files', 'mine.txt'), 'mine');
});
afterEach(() => (dataDir ? rm(dataDir, { recursive: true, force: true }) : undefined));
afterAll(() => rm(healthy, { recursive: true, force: true }));

interface Report extends Diagnosis {
  readonly mended: readonly Mended[] | null;
  readonly left: readonly Finding[];
}
async function doctor(...args: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, out, text } = await runCli('doctor', '--json', '--data-dir', dataDir, ...args);
  expect(out, text).toMatch(/^\{/);
  return { code, report: JSON.parse(out) as Report };
}
/** What is found that has to do with the data folder; the surroundings of the machine that tests run on may differ. */
const found = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code);

async function broken(breakIt: (appDir: string, pointer: AppPointer) => Promise<unknown>): Promise<void> {
  dataDir = await newDataDir({ ownTools: true });
  await cp(healthy, dataDir, { recursive: true, verbatimSymlinks: true });
  const appDir = join(dataDir, 'apps', 'hello-wave');
  const pointer = (await readJsonFile(join(appDir, POINTER), AppPointer)) as AppPointer;
  await linkTools(pointer.app.pythonVersion);
  await breakIt(appDir, pointer);
}

/** Links to tools that tests share, instead of a link to all of them: taken away, only the links are gone. */
async function linkTools(pythonVersion: string): Promise<void> {
  const tools = join(dataDir, 'tools');
  await rm(tools);
  await mkdir(tools);
  const names = (await readdir(SHARED_TOOLS)).filter((name) => name.startsWith(`python-${pythonVersion}-`));
  for (const name of names) await symlink(join(SHARED_TOOLS, name), join(tools, name));
}
async function appStarts(): Promise<void> {
  const daemon = await startDaemonProcess(dataDir);
  try {
    await vi.waitFor(
      async () => {
        const { status } = await fetch(`${daemon.url}/api/apps/start-app/hello_wave`, { method: 'POST' });
        expect(status).toBe(200);
      },
      { timeout: 10_000, interval: 200 },
    );
    const connected = async () =>
      expect(await (await fetch(`${daemon.url}/api/apps/slot`)).json()).toMatchObject({ sdk: 'connected' });
    await vi.waitFor(connected, { timeout: 20_000, interval: 100 });
  } finally {
    daemon.process.kill('SIGTERM');
    await daemon.exited;
  }
}
const written = () => readFile(join(dataDir, 'apps', 'hello-wave', 'files', 'mine.txt'), 'utf8');
const pythonOf = (appDir: string, env: string) => join(appDir, 'envs', env, 'bin', 'python');

/** As an upgrade of the system leaves it, which replaced the interpreter by one of another name. */
async function losePython(appDir: string, env: string): Promise<void> {
  await rm(pythonOf(appDir, env));
  await symlink('/usr/bin/python-that-was-upgraded', pythonOf(appDir, env));
}

test('a data folder that is whole has nothing broken, and is said to hold what it holds', async () => {
  await broken(async () => {});
  const { code, report } = await doctor();
  expect({ code, found: found(report.findings), mended: report.mended }).toEqual({ code: 0, found: [], mended: null });
  expect(report.inventory.apps).toMatchObject([{ name: 'hello_wave', filesBytes: 4 }]);
  expect(report.inventory.apps[0]?.environmentBytes).toBeGreaterThan(10_000);
  expect(report.inventory.apps[0]?.previous?.bytes).toBeGreaterThan(10_000);
  expect(report.inventory.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['apps', 'tools']));
});

test.each([
  [
    'is not there',
    'environment-missing',
    (dir: string, env: string) => rm(join(dir, 'envs', env), { recursive: true }),
  ],
  ['lost its Python', 'environment-no-python', losePython],
  [
    'lost a module',
    'environment-no-import',
    async (dir: string, env: string) => {
      const names = await readdir(join(dir, 'envs', env, 'lib'));
      await rm(join(dir, 'envs', env, 'lib', names[0] as string, 'site-packages', 'hello_wave'), { recursive: true });
    },
  ],
])('an app whose environment %s goes back to the version before', async (_, code, breakIt) => {
  const before: (string | undefined)[] = [];
  await broken(async (dir, pointer) => {
    before.push(pointer.previous?.env);
    await breakIt(dir, pointer.env);
  });
  expect(found((await doctor()).report.findings)).toEqual([code]);
  const { code: exit, report } = await doctor('--fix');
  expect(report.mended).toMatchObject([{ code, done: true }]);
  expect({ exit, left: found(report.left) }).toEqual({
    exit: 0,
    left: code === 'environment-missing' ? [] : ['environments-unused'],
  });
  const pointer = await readJsonFile(join(dataDir, 'apps', 'hello-wave', POINTER), AppPointer);
  expect(pointer).toMatchObject({ env: before[0], previous: null, rolledBack: { automatic: true } });
  await appStarts();
});

test('an app all of whose environments lost their Python is installed again', async () => {
  await broken(async (dir, { env, previous }) => {
    await losePython(dir, env);
    await losePython(dir, previous?.env as string);
  });
  expect(found((await doctor()).report.findings)).toEqual(['environment-no-python', 'previous-broken']);
  const { code, report } = await doctor('--fix');
  expect(report.mended?.map(({ done }) => done)).toEqual([true, true]);
  // The environment that was live is now the one before; a second round lets it go.
  expect({ code, left: found(report.left) }).toEqual({ code: 0, left: ['previous-broken'] });
  await doctor('--fix');
  expect(found((await doctor()).report.findings)).toEqual(['environments-unused']);
  expect(await written()).toBe('mine');
  await appStarts();
});

test('an app whose pointer is damaged is installed again from where the records say, and keeps its files', async () => {
  await broken((dir) => truncate(join(dir, POINTER), 40));
  expect(found((await doctor()).report.findings)).toEqual(['pointer-damaged']);
  expect(await doctor('--fix')).toMatchObject({ code: 0, report: { mended: [{ done: true }] } });
  expect(await written()).toBe('mine');
  await appStarts();
});

test('what an app has written is kept, though it is not known of which app it is', async () => {
  await broken((dir) => rm(join(dir, POINTER)));
  expect(found((await doctor()).report.findings)).toEqual(['pointer-missing']);
  await doctor('--fix');
  const aside = (await readdir(dataDir)).find((name) => /^hello-wave\.damaged-\d{8}T\d{6}$/.test(name));
  expect(await readFile(join(dataDir, aside as string, 'files', 'mine.txt'), 'utf8')).toBe('mine');
  expect(found((await doctor()).report.findings)).toEqual([]);
});

test('records that are damaged are set aside, rubbish and orphans go, and all else stays', async () => {
  let orphan = 0;
  await broken(async (dir) => {
    const paths = dataPaths(dataDir);
    await mkdir(join(dir, 'envs', '0123'));
    await mkdir(join(dataDir, 'apps', 'half', 'envs', '4567'), { recursive: true });
    await mkdir(join(paths.work, 'install-x'), { recursive: true });
    await mkdir(join(paths.tools, 'python-3.9.1-01234567'));
    await mkdir(join(paths.tools, 'sdk-0123456789abcdef'));
    const moved = 'robot-sdk @ file:///somewhere/else/robot_sdk-1.0.0-py3-none-any.whl\n';
    await writeFile(join(paths.tools, 'sdk-0123456789abcdef', 'constraints.txt'), moved);
    await writeFile(paths.jobsFile, '{"jobs":[');
    await writeFile(paths.startupAppFile, '{"startupApp":7}');
    await writeFile(`${paths.jobsFile}.123456`, '');
    const env = { PATH: process.env['PATH'] ?? '', [CHILD_MARK_VARIABLE]: await childMark(dataDir) };
    const child = spawn('sleep', ['600'], { env, detached: true, stdio: 'ignore' });
    orphan = child.pid as number;
  });
  const all = [
    'environments-unused',
    'half-installed',
    'half-written',
    'orphans',
    'record-damaged',
    'record-damaged',
    'tools-broken',
    'work-left',
  ];
  const first = await doctor();
  expect(found(first.report.findings).sort()).toEqual(all);
  expect(first.code).toBe(1);
  expect(await startTimeOf(orphan)).not.toBeNull();

  const { code, report } = await doctor('--fix');
  expect(report.mended?.filter(({ done }) => !done)).toEqual([]);
  expect({ code, left: found(report.left) }).toEqual({ code: 0, left: [] });
  expect(await startTimeOf(orphan)).toBeNull();
  const names = await readdir(dataDir);
  for (const kept of [/^jobs\.json\.damaged-/, /^startup-app\.json\.damaged-/])
    expect(names.filter((name) => kept.test(name))).toHaveLength(1);
  expect(await written()).toBe('mine');
  await appStarts();
});

test('while a daemon runs only what goes through it is mended', async () => {
  await broken(async (_, { env, ...pointer }) => {
    await writeFile(join(dataDir, 'jobs.json.123456'), '');
    const dir = join(dataDir, 'apps', 'hello-wave');
    await writeJsonFile(join(dir, POINTER), { ...pointer, env, previous: null });
    await rename(join(dir, 'envs', env), join(dir, 'envs', 'gone'));
  });
  const daemon = await startDaemonProcess(dataDir);
  try {
    const { code, report } = await doctor('--fix');
    expect(report.daemon).toMatchObject({ pid: daemon.process.pid, url: daemon.url });
    expect(report.mended).toMatchObject([
      { code: 'environment-missing', done: true },
      { code: 'half-written', done: false },
    ]);
    expect({ code, left: found(report.left) }).toEqual({ code: 0, left: ['half-written', 'previous-broken'].sort() });
  } finally {
    daemon.process.kill('SIGTERM');
    await daemon.exited;
  }
  await appStarts();
});

test('a large cache is pruned by uv', async (context) => {
  await broken(async () => {});
  const paths = dataPaths(dataDir);
  const [tools = ''] = await readdir(paths.tools);
  const uv = join(paths.tools, tools, 'bin', 'uv');
  const run = runnerFor(paths);
  const isHere = await run(uv, ['--version']).then(
    () => true,
    () => false,
  );
  if (!isHere) return context.skip("uv is not among the tests' tools");
  const cacheDir = join(paths.cache, 'uv');
  await mkdir(cacheDir, { recursive: true });
  await writeFile(join(cacheDir, 'not-empty'), 'x');
  const examined = { paths, isHeld: false, python: null, uv, run, installerDir: '', samplesDir: '' };
  expect(await checkTools(examined)).toEqual([]);
  const findings = await checkTools(examined, 0);
  expect(findings).toMatchObject([{ code: 'cache-large', fix: { kind: 'prune-cache', uv, cacheDir } }]);
  expect(await mendFolder(findings, { paths, run, now: () => new Date() })).toMatchObject([
    { done: true, what: 'Pruned.' },
  ]);
});

test('for a person it is said in words', async () => {
  await broken((dir, { env }) => losePython(dir, env));
  const { code, text } = await runCli('doctor', '--data-dir', dataDir);
  expect(code).toBe(1);
  for (const part of [
    dataDir,
    'none runs',
    'hello_wave',
    'Python does not run',
    '--fix returns to the version before.',
  ])
    expect(text).toContain(part);
});
