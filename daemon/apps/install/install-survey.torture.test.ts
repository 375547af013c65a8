/** Unusual real apps that an installer and a launcher must cope with: built, and some run, by the real daemon. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { normalizedName } from '../../app-package/requirement.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { type AppPackage, writeAppPackage } from '../../testing/apps/app-packages.ts';
import { buildThatHangs, survey } from '../../testing/apps/survey-apps.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { packageIndexIsHere } from '../../testing/python/uv.ts';

// Unrelated cases share a package, since each package takes a second.
const dashed: AppPackage = { ...survey.sdkUnderscore, ...survey.withoutReadme, ...survey.dashed };
const moduleApp: AppPackage = { ...survey.sdkRobot, ...survey.withoutFrontMatter, ...survey.moduleApp };
const moduleIsPackage: AppPackage = { ...survey.sdkPreRelease, ...survey.besideWebSpace, ...survey.moduleIsPackage };
const ownStart: AppPackage = { ...survey.sdkNewerMinor, ...survey.pointerBeside, ...survey.bypassesWrappedRun };
const pageConstant: AppPackage = { ...survey.uvSettings, ...survey.pageConstant };
const pageImported: AppPackage = { ...survey.uvWorkspaceSource, ...survey.pageImported };
const pageAndStatic: AppPackage = { ...survey.staticShipped, ...survey.pageFormatted };
const pageAndStrays: AppPackage = { ...survey.strayPackages, ...survey.pageReassigned };
const pageNoneBelow: AppPackage = { ...survey.inSubdirectory, ...survey.pageNone };
const portOne: AppPackage = { ...survey.sdkFromGit, ...survey.submodules, ...survey.portOne };
const portTwo: AppPackage = { ...survey.withoutSdk, ...survey.portTwo };
const inSrc: AppPackage = { ...survey.srcLayout, ...survey.threadAtImport, ...survey.testHelloWorld };
const blocksForGood: AppPackage = { ...survey.blocksForGood, ...survey.echo };

/** Apps that need only the SDK. */
const plain: readonly AppPackage[] = [
  survey.allNamesDiffer,
  dashed,
  moduleApp,
  moduleIsPackage,
  ownStart,
  pageConstant,
  pageImported,
  pageAndStatic,
  pageAndStrays,
  pageNoneBelow,
  portOne,
  portTwo,
  survey.twin,
  survey.twinDistribution,
  survey.byteOrderMarks,
  inSrc,
  blocksForGood,
];
const fromIndex: readonly AppPackage[] = [
  // All baseline libraries take half a minute of CPU time, so `npm run torture` runs this.
  ...(process.env['TORTURE_BASELINE'] ? [survey.undeclaredDependency] : []),
  survey.strayWithSetuptools,
  survey.staticMissing,
];
const index = await packageIndexIsHere();
if (!index) console.warn('SKIPPED: apps that need the package index, because it cannot be reached');

let packages: string;
let daemon: TestDaemon;
const jobs = new Map<AppPackage, Job>();

beforeAll(async () => {
  packages = await mkdtemp(join(tmpdir(), 'robot-desktop-survey-'));
  daemon = await startTestDaemon();
  const waiting = [...(index ? fromIndex : []), ...plain].values();
  const work = async () => {
    for (const app of waiting) jobs.set(app, await install(app));
  };
  await Promise.all([work(), work()]);
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(packages, { recursive: true, force: true });
});

const write = (app: AppPackage, folder = app.name) => writeAppPackage(join(packages, folder), app);
const install = async (app: AppPackage): Promise<Job> => daemon.install(await write(app));
const nameOf = ({ name, entry = name }: AppPackage) => entry;
const appOf = async (app: AppPackage): Promise<InstalledApp> =>
  (await daemon.get(`/api/apps/installed/${nameOf(app)}`)).body;
const logOf = async ({ id }: Job): Promise<string[]> => (await daemon.get(`/api/jobs/${id}/log`)).body.lines;
/** The files of an app's environment, relative to site-packages. */
async function environmentOf(app: AppPackage): Promise<string[]> {
  const entries = await readdir(join(daemon.dataDir, 'apps', normalizedName(nameOf(app)), 'envs'), { recursive: true });
  return entries.map((path) => path.replace(/^.*?site-packages\//, ''));
}
async function start(app: AppPackage): Promise<void> {
  expect(await daemon.post(`/api/apps/start-app/${nameOf(app)}`)).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect(await daemon.output()).toContain('ready'));
}
async function stop(query = ''): Promise<{ outcome: string }> {
  return (await daemon.post(`/api/apps/stop-current-app${query}`)).body.lastRun;
}

test.each(plain)('$name installs', (app) => {
  expect(jobs.get(app)).toMatchObject({ state: 'done', failure: null });
});
test.skipIf(!index).each(fromIndex)('$name installs with packages of the index', (app) => {
  expect(jobs.get(app)).toMatchObject({ state: 'done', failure: null });
});

describe('once installed', () => {
  test.each<AppPackage>([survey.allNamesDiffer, dashed, moduleApp, moduleIsPackage, survey.byteOrderMarks, inSrc])(
    '$name starts, and stops when asked',
    async (app) => {
      await start(app);
      expect(await stop()).toMatchObject({ outcome: 'stopped', exitCode: 0 });
      expect(await daemon.children()).toEqual([]);
    },
  );

  test('an app with its own start code runs, without unknown arguments', async () => {
    await start(ownStart);
    expect(await stop()).toMatchObject({ outcome: 'stopped' });
  });

  test('an app that ignores the interrupt is killed', async () => {
    await start(blocksForGood);
    expect(await stop('?force=true')).toMatchObject({ outcome: 'killed' });
    expect(await daemon.children()).toEqual([]);
  });

  test('the port of a settings page is found in any form of its address', async () => {
    const apps = [pageConstant, pageImported, pageAndStatic, pageAndStrays, pageNoneBelow];
    const ports = await Promise.all(apps.map(async (app) => (await appOf(app)).settingsPage?.port ?? null));
    expect(ports).toEqual([7861, 7862, 7863, 8001, null]);
  });

  test('two apps with the same port name each other', async () => {
    expect((await appOf(portOne)).sharesPortWith).toEqual(['port_two']);
    expect((await appOf(portTwo)).sharesPortWith).toEqual(['port_one']);
  });

  test('one distribution with two apps gives two apps; one app from two folders is a clash', async () => {
    expect(await appOf(survey.twin)).toMatchObject({ distribution: 'twin', version: '1.0.0' });
    expect(await appOf(survey.twinDistribution)).toMatchObject({ name: 'second_twin', distribution: 'twin' });
    const job = await daemon.install(await write(survey.otherTwin, 'other twin'));
    expect(job.failure).toMatchObject({ reason: 'name-clash', message: expect.stringContaining('"twin"') });
    expect((await appOf(survey.twin)).version).toBe('1.0.0');
  });

  test('folders beside the package are not installed, and its static files are', async () => {
    const found = (await environmentOf(pageAndStrays)).filter((path) => /^(tests|tools|config|docs)$/.test(path));
    expect(found).toEqual([]);
    expect(await environmentOf(pageAndStatic)).toEqual(
      expect.arrayContaining(['page_formatted/static/index.html', 'page_formatted/static/main.js']),
    );
  });

  test.skipIf(!index)('a build that installs folders beside the package gives a warning', async () => {
    expect(await logOf(jobs.get(survey.strayWithSetuptools) as Job)).toContainEqual(
      expect.stringMatching(/^warning: It also installs .*tests/),
    );
  });
});

describe('refused without leftovers:', () => {
  type Reason = NonNullable<Job['failure']>['reason'];
  test.each<{ app: AppPackage; reason: Reason; message: RegExp }>([
    { app: survey.packageWithoutMain, reason: 'not-an-app', message: /no __main__\.py/ },
    { app: survey.withoutMainBlock, reason: 'not-an-app', message: /no `if __name__ == "__main__":` block/ },
    { app: survey.classMissing, reason: 'not-an-app', message: /has no class Missing/ },
    { app: survey.undeclaredWithoutBaseline, reason: 'import-error', message: /No module named 'numpy'/ },
    { app: survey.oldPythonOnly, reason: 'python-missing', message: /3\.9/ },
    { app: survey.newPythonOnly, reason: 'python-missing', message: /3\.99/ },
    { app: survey.sdkNextMajor, reason: 'sdk-mismatch', message: />=2/ },
    { app: survey.sdkBeforeFirst, reason: 'sdk-mismatch', message: /<1/ },
    { app: survey.largeFilePointer, reason: 'not-an-app', message: /pointer_source\/voice\.wav/ },
  ])('$app.name: $reason', async ({ app, reason, message }) => {
    const before = await daemon.traces();
    expect((await install(app)).failure).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(await daemon.traces()).toEqual(before);
  });

  test('a repository with the app in a folder, which the refusal names', async () => {
    await write(survey.inSubdirectory);
    const job = await daemon.install(join(packages, survey.inSubdirectory.name));
    expect(job.failure).toMatchObject({ reason: 'not-an-app' });
    expect(`${job.failure?.message} ${job.failure?.action}`).toContain('apps/deep');
  });

  test.skipIf(!index)('versions that do not exist: the installed app stays and starts', async () => {
    const { name } = survey.impossiblePin;
    expect(await install({ name })).toMatchObject({ state: 'done' });
    const before = await daemon.traces();
    expect((await install({ ...survey.impossiblePin, version: '2.0.0' })).failure).toMatchObject({
      reason: 'dependency-conflict',
    });
    expect(await daemon.traces()).toEqual(before);
    expect((await appOf({ name })).version).toBe('1.0.0');
    await start({ name });
    await stop();
  });

  test('an endless build, when it is cancelled', async () => {
    const before = await daemon.traces();
    const { body } = await daemon.post('/api/apps/install', { url: await write(buildThatHangs) });
    await vi.waitFor(async () => expect(await logOf(body)).toContainEqual(expect.stringContaining('Building')));
    await daemon.post(`/api/jobs/${body.id}/cancel`);
    expect(await daemon.jobEnd(body.id)).toMatchObject({ state: 'cancelled', failure: null });
    expect(await daemon.traces()).toEqual(before);
    expect(await daemon.children()).toEqual([]);
  });
});
