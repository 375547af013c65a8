/** A real data folder with installed apps, each broken in its own way: the findings, the repairs, and the apps that start again. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AppPointer, POINTER } from '../apps/installed/app-pointer.ts';
import { daemonAt } from '../client/node/daemon-at.ts';
import { systemClock, systemNow } from '../shared/clock.ts';
import { type DataPaths, dataPaths } from '../shared/files/data-paths.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/processes/child-environment.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { startLeader } from '../shared/processes/start-leader.ts';
import { writeAppPackage } from '../testing/apps/app-packages.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { newDataDir, SHARED_TOOLS, sampleApp, startTestDaemon } from '../testing/daemon/test-daemon.ts';
import type { Finding, RepairResult } from './check.ts';
import { type Diagnosis, runnerFor } from './examine.ts';
import { repairFolder, repairThroughDaemon } from './repair.ts';
import { checkTools } from './tool-checks.ts';

const returning = ['lost_env', 'lost_python', 'lost_module'] as const;

/** One data folder for all tests, in order: each breaks part of it and repairs it. */
let dataDir: string;
let paths: DataPaths;
let packages: string;

beforeAll(async () => {
  packages = await mkdtemp(join(tmpdir(), 'robot-desktop-apps-'));
  dataDir = await newDataDir(['tools']); // its cache is pruned
  paths = dataPaths(dataDir);
  const names = [...returning, 'cut_pointer', 'lost_pointer'];
  const written = await Promise.all(names.map((name) => writeAppPackage(join(packages, name), { name })));
  {
    await using daemon = await startTestDaemon({ dataDir });
    const jobs = await Promise.all([sampleApp('hello_wave'), ...written].map((folder) => daemon.install(folder)));
    expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => 'done'));
  }
  for (const name of ['hello_wave', ...returning]) await addEarlierVersion(name);
  for (const name of ['hello_wave', 'cut_pointer', 'lost_pointer']) {
    await mkdir(join(appDir(name), 'files'), { recursive: true });
    await writeFile(ownFile(name), 'mine');
  }
  await linkTools((await pointerOf('hello_wave')).app.pythonVersion);
});
afterAll(async () => {
  for (const folder of [dataDir, packages]) await rm(folder, { recursive: true, force: true });
});

const keyOf = (name: string) => name.replace('_', '-');
const appDir = (name: string) => join(paths.apps, keyOf(name));
const envDir = (name: string, env: string) => join(appDir(name), 'envs', env);
const ownFile = (name: string) => join(appDir(name), 'files', 'mine.txt');
const pointerOf = async (name: string) => (await readJsonFile(join(appDir(name), POINTER), AppPointer)) as AppPointer;

/** Adds an earlier version that differs from the live one only in its environment. */
async function addEarlierVersion(name: string): Promise<void> {
  const pointer = await pointerOf(name);
  const { app, env } = pointer;
  const before = env.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await cp(envDir(name, env), envDir(name, before), { recursive: true, verbatimSymlinks: true });
  await writeJsonFile(join(appDir(name), POINTER), { ...pointer, previous: { app, env: before } });
}

/** Links each shared tool instead of the whole folder, so that a repair removes links only. */
async function linkTools(pythonVersion: string): Promise<void> {
  await rm(paths.tools);
  await mkdir(paths.tools);
  const names = (await readdir(SHARED_TOOLS)).filter((name) => name.startsWith(`python-${pythonVersion}-`));
  for (const name of names) await symlink(join(SHARED_TOOLS, name), join(paths.tools, name));
}

interface Report extends Diagnosis {
  readonly repaired: readonly RepairResult[] | null;
  readonly left: readonly Finding[];
}
async function doctor(...args: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, out, text } = await runCli('doctor', '--json', '--data-dir', dataDir, ...args);
  expect(out, text).toMatch(/^\{/);
  return { code, report: JSON.parse(out) as Report };
}
/** The findings about the data folder; notes depend on the machine that runs the tests. */
const relevant = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity !== 'note');
const found = (findings: readonly Finding[]) => relevant(findings).map(({ code }) => code);
/** Codes by the app's folder; other findings are under `..`. */
function foundByApp(findings: readonly Finding[]): Record<string, string[]> {
  const byApp: Record<string, string[]> = {};
  for (const { where, code } of relevant(findings)) {
    const key = relative(paths.apps, where).split(sep)[0] as string;
    byApp[key] = [...(byApp[key] ?? []), code];
  }
  return byApp;
}

async function appStarts({ url }: DaemonProcess, name: string): Promise<void> {
  const daemon = daemonAt(url);
  const start = () => daemon.call('startApp', { params: { appName: name } });
  await vi.waitFor(start, { interval: 200 });
  const connected = async () =>
    expect(await daemon.call('getAppSlot')).toMatchObject({ holder: { appName: name }, sdk: 'connected' });
  await vi.waitFor(connected, { interval: 100 });
  await daemon.call('stopCurrentApp');
}

/** Breaks the interpreter's link, like a system upgrade that replaces Python. */
async function losePython(name: string, env: string): Promise<void> {
  const python = join(envDir(name, env), 'bin', 'python');
  await rm(python);
  await symlink('/usr/bin/python-that-was-upgraded', python);
}

test('a healthy data folder has no findings, and its inventory lists the apps', async () => {
  const { code, report } = await doctor();
  expect({ code, found: found(report.findings), repaired: report.repaired }).toEqual({
    code: 0,
    found: [],
    repaired: null,
  });
  const names = report.inventory.apps.map(({ name }) => name);
  expect(names.sort()).toEqual(['cut_pointer', 'hello_wave', 'lost_env', 'lost_module', 'lost_pointer', 'lost_python']);
  const app = report.inventory.apps.find(({ name }) => name === 'hello_wave');
  expect(app?.filesBytes).toBe(4);
  expect(app?.environmentBytes).toBeGreaterThan(10_000);
  expect(app?.previous?.bytes).toBeGreaterThan(10_000);
  expect(report.inventory.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['apps', 'tools']));
});

test('apps whose environment, Python or module is missing roll back to the earlier version', async () => {
  const pointers = await Promise.all(returning.map(pointerOf));
  const [lostEnv, lostPython, lostModule] = pointers.map(({ env }) => env) as [string, string, string];
  await rm(envDir('lost_env', lostEnv), { recursive: true });
  await losePython('lost_python', lostPython);
  const [python] = await readdir(join(envDir('lost_module', lostModule), 'lib'));
  const sitePackages = join(envDir('lost_module', lostModule), 'lib', python as string, 'site-packages');
  await rm(join(sitePackages, 'lost_module'), { recursive: true });

  // Without --fix: reported, not changed.
  const printed = await runCli('doctor', '--data-dir', dataDir);
  expect(printed.code).toBe(1);
  for (const part of [
    dataDir,
    'not running',
    'lost_python',
    'Python does not run',
    '--fix rolls back to the earlier version.',
  ])
    expect(printed.text).toContain(part);

  const { code, report } = await doctor('--fix');
  expect(foundByApp(report.findings)).toEqual({
    'lost-env': ['environment-missing'],
    'lost-python': ['environment-no-python'],
    'lost-module': ['environment-no-import'],
  });
  expect(report.repaired).toMatchObject([{ done: true }, { done: true }, { done: true }]);
  expect({ code, left: foundByApp(report.left) }).toEqual({
    code: 0,
    left: { 'lost-python': ['environments-unused'], 'lost-module': ['environments-unused'] },
  });
  expect(await Promise.all(returning.map(pointerOf))).toMatchObject(
    pointers.map(({ previous }) => ({ env: previous?.env, previous: null, rolledBack: { automatic: true } })),
  );
});

test('an app without any Python, and one with a damaged pointer, are installed again; the files of apps are kept', async () => {
  const { env, previous } = await pointerOf('hello_wave');
  await losePython('hello_wave', env);
  await losePython('hello_wave', previous?.env as string);
  await truncate(join(appDir('cut_pointer'), POINTER), 40);
  await rm(join(appDir('lost_pointer'), POINTER)); // the folder no longer says which app it belongs to

  const { code, report } = await doctor('--fix');
  expect(foundByApp(report.findings)).toEqual({
    'hello-wave': ['environment-no-python', 'previous-broken'],
    'cut-pointer': ['pointer-damaged'],
    'lost-pointer': ['pointer-missing'],
    'lost-python': ['environments-unused'],
    'lost-module': ['environments-unused'],
  });
  expect(report.repaired?.map(({ done }) => done)).toEqual(report.repaired?.map(() => true));
  expect(report.repaired).toHaveLength(6);
  // The environment that was live is now the earlier version; the next run removes it.
  expect({ code, left: foundByApp(report.left) }).toEqual({ code: 0, left: { 'hello-wave': ['previous-broken'] } });
  for (const name of ['hello_wave', 'cut_pointer']) expect(await readFile(ownFile(name), 'utf8')).toBe('mine');
  const aside = (await readdir(dataDir)).find((name) => /^lost-pointer\.damaged-\d{8}T\d{9}$/.test(name));
  expect(await readFile(join(dataDir, aside as string, 'files', 'mine.txt'), 'utf8')).toBe('mine');
});

test('damaged records are set aside, leftovers and orphans are removed, everything else stays', async () => {
  await mkdir(envDir('lost_module', '0123'));
  await mkdir(join(paths.apps, 'half', 'envs', '4567'), { recursive: true });
  await mkdir(join(paths.work, 'install-x'), { recursive: true });
  await mkdir(join(paths.tools, 'python-3.9.1-01234567'));
  const wheel = join(paths.tools, 'sdk-0123456789abcdef');
  await mkdir(wheel);
  const moved = 'robot-sdk @ file:///somewhere/else/robot_sdk-1.0.0-py3-none-any.whl\n';
  await writeFile(join(wheel, 'constraints.txt'), moved);
  await writeFile(paths.jobsFile, '{"jobs":[');
  await writeFile(paths.startupAppFile, '{"startupApp":7}');
  await writeFile(`${paths.jobsFile}.123456`, '');
  await writeFile(join(paths.endpoints, 'endpoint-chat.json'), '{"namespace":"me"}');
  await writeFile(join(paths.endpoints, 'endpoint-chat.json.654321'), '');
  const env = { PATH: process.env['PATH'] ?? '', [CHILD_MARK_VARIABLE]: await childMark(dataDir) };
  const orphan = startLeader('sleep', ['600'], { env }).pid as number;
  const all = [
    'environments-unused',
    'half-installed',
    'half-written',
    'orphans',
    'previous-broken',
    'record-damaged',
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
  expect(report.repaired?.filter(({ done }) => !done)).toEqual([]);
  expect({ code, left: foundByApp(report.left) }).toEqual({ code: 0, left: { 'hello-wave': ['environments-unused'] } });
  expect(await startTimeOf(orphan)).toBeNull();
  const names = [...(await readdir(dataDir)), ...(await readdir(paths.endpoints))];
  for (const kept of [/^jobs\.json\.damaged-/, /^startup-app\.json\.damaged-/, /^endpoint-chat\.json\.damaged-/])
    expect(names.filter((name) => kept.test(name))).toHaveLength(1);
  for (const name of ['hello_wave', 'cut_pointer']) expect(await readFile(ownFile(name), 'utf8')).toBe('mine');
});

test('every repaired app starts; while a daemon runs, only repairs through it are done', async () => {
  await writeFile(join(dataDir, 'jobs.json.123456'), '');
  const daemon = await startDaemonProcess(dataDir);
  try {
    for (const name of ['hello_wave', 'cut_pointer', ...returning]) await appStarts(daemon, name);

    const { env, previous } = await pointerOf('hello_wave');
    expect(previous).toBeNull();
    await rename(envDir('hello_wave', env), envDir('hello_wave', 'gone'));
    const { code, report } = await doctor('--fix');
    expect(report.daemon).toMatchObject({ pid: daemon.process.pid, url: daemon.url });
    expect(report.repaired).toMatchObject([
      { code: 'environment-missing', done: true },
      { code: 'half-written', done: false },
    ]);
    expect({ code, left: found(report.left) }).toEqual({ code: 0, left: ['half-written', 'previous-broken'].sort() });
    await appStarts(daemon, 'hello_wave');
  } finally {
    daemon.process.kill('SIGTERM');
    await daemon.exited;
  }
});

test('downloads that no app uses are removed, by uv where it is', async () => {
  const tools = (await readdir(paths.tools)).find((name) => name.startsWith('python-')) ?? '';
  const uvOfTools = join(paths.tools, tools, 'bin', 'uv');
  const run = runnerFor(paths);
  const uv = await run(uvOfTools, ['--version']).then(
    () => uvOfTools,
    () => null,
  );
  const download = join(paths.cache, 'pip', 'http-v2', 'download');
  await mkdir(dirname(download), { recursive: true });
  await mkdir(join(paths.cache, 'uv'), { recursive: true });
  await writeFile(download, Buffer.alloc(5_000_000));
  const checked = {
    ...{ paths, isHeld: true, heldSince: null, runningApp: () => null, python: null, uv, run },
    ...{ installerDir: '', samplesDir: '', sdkDir: '', onDetail: () => {}, clock: systemClock },
  };
  expect(await checkTools(checked)).toEqual([]);
  const findings = await checkTools(checked, 4_000_000);
  expect(findings).toMatchObject([{ code: 'cache-large', where: paths.cache, fix: { kind: 'prune-cache', uv } }]);
  expect(await repairFolder(findings, { paths, run, now: systemNow })).toMatchObject([{ done: true }]);
  expect(await checkTools(checked, 4_000_000)).toEqual([]);

  // A running daemon does it, too.
  await using daemon = await startTestDaemon({ dataDir });
  await mkdir(dirname(download), { recursive: true });
  await writeFile(download, Buffer.alloc(5_000_000));
  expect(await daemon.call('getDownloadCache')).toMatchObject({ path: paths.cache, isComplete: true });
  expect(await repairThroughDaemon(findings, daemon.url, undefined)).toMatchObject([
    { done: true, what: expect.stringMatching(/ freed\.$/) },
  ]);
  expect(await checkTools(checked, 4_000_000)).toEqual([]);
  const { body: job } = await daemon.post('/api/apps/install', { url: sampleApp('hello_wave') });
  expect(await daemon.post('/api/download-cache/prune')).toMatchObject({
    status: 409,
    body: { error: 'An app is being installed. Wait for its end, then try again.' },
  });
  await daemon.post(`/api/jobs/${job.id}/cancel`);
  await daemon.jobEnd(job.id);
});
