import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../contract/jobs.ts';
import type { DaemonOptions } from '../daemon-options.ts';
import type { Finding, Fix } from '../doctor/check.ts';
import type { Diagnosis, ExamineOptions } from '../doctor/examine.ts';
import { LOCK_OBSTRUCTED } from '../doctor/folder-checks.ts';
import { systemClock } from '../shared/clock.ts';
import {
  DataFolderInUse,
  instanceIn,
  lockDataFolder,
  type SavedOptions,
} from '../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance, serveScripted, statusOfDaemon } from '../testing/terminal/scripted-daemon.ts';
import { type DoctorOptions, doctor } from './doctor.ts';
import { projectResources, projectVersion } from './project.ts';

const finding = (code: string, fix: Fix, severity: Finding['severity'] = 'broken'): Finding => ({
  ...{ code, severity, what: `It is ${code}.`, where: `/data/${code}`, fix },
});
const byHand = finding('hot', { kind: 'by-hand', how: 'Cool it.' });
const daemonFound = { pid: 7, url: null, version: null };

function diagnosisOf(findings: readonly Finding[], daemon: Diagnosis['daemon'] = null): Diagnosis {
  const graphicsCards = { isOn: true, cards: [], problem: null, hasFailed: false };
  const engine = { label: null, socket: null, isRootless: false, hasGpu: false };
  return {
    ...{ dataDir: '/data', daemon, python: null, installer: 'uv', secrets: null, findings },
    surroundings: {
      ...{ disk: { freeBytes: null }, hub: { url: 'https://hub.example', answers: true } },
      packageIndex: { answers: null },
    },
    containerEngine: { ...engine, problem: null, action: null, command: null },
    graphicsCards,
    inventory: { parts: [], apps: [], modelFiles: [] },
  };
}

/** Runs the doctor, who makes one diagnosis after the other; the last one stays. */
async function examined(
  paths: DataPaths,
  options: DoctorOptions,
  diagnoses: readonly [Diagnosis, ...Diagnosis[]],
  createDaemon: Parameters<typeof doctor>[0]['createDaemon'] = () => {
    throw new Error('No daemon was expected.');
  },
) {
  const printed = captureOutput();
  const asked: ExamineOptions[] = [];
  const examine = async (question: ExamineOptions) => {
    asked.push(question);
    return diagnoses[Math.min(asked.length, diagnoses.length) - 1] as Diagnosis;
  };
  await doctor({ paths, projectDir, examine, createDaemon }, options);
  const { out, err, code } = printed;
  return { out, err, code, asked };
}
const codeOf = async (...findings: readonly Finding[]) =>
  (await examined(await newDataFolder(), {}, [diagnosisOf(findings)])).code;

test('the findings are reported; the code is 1 where something is broken, and only then', async () => {
  const paths = await newDataFolder();
  const { out, err, code, asked } = await examined(paths, {}, [diagnosisOf([byHand])]);
  expect(out).toMatch(/^data folder {2}\/data\n/);
  expect(out).toMatch(/\nFound\n {2}broken {2}It is hot\.\n {10}hot, \/data\/hot\n {10}Cool it\.\n$/);
  expect({ err, code, looks: asked.length }).toEqual({ err: '', code: 1, looks: 1 });
  expect(await codeOf()).toBe(0);
  expect(await codeOf({ ...byHand, severity: 'untidy' }, { ...byHand, severity: 'note' })).toBe(0);
  expect(await codeOf({ ...byHand, severity: 'note' }, byHand)).toBe(1);
});

test('as JSON the diagnosis is printed with what was repaired, and what is left', async () => {
  const paths = await newDataFolder();
  const [ill, well] = [diagnosisOf([byHand]), diagnosisOf([])];
  const first = await examined(paths, { json: true }, [ill]);
  expect(JSON.parse(first.out)).toEqual({ ...ill, repaired: null, left: [byHand] });
  const remove = finding('old', { kind: 'remove', paths: [join(paths.root, 'old')] });
  const fixed = await examined(paths, { json: true, fix: true }, [diagnosisOf([remove]), well]);
  const repaired = [{ code: 'old', where: '/data/old', done: true, what: '1 item(s) removed.' }];
  expect({ ...fixed, out: JSON.parse(fixed.out) }).toMatchObject({
    ...{ out: { ...diagnosisOf([remove]), repaired, left: [] }, code: 0 },
  });
});

test.each<[string, SavedOptions | null, object]>([
  ['no daemon', null, { wantedPython: null, hubUrl: null, asksThisMachine: false }],
  [
    'a daemon',
    { python: '/opt/python', hubUrl: 'https://hub.example', requireToken: true },
    { wantedPython: '/opt/python', hubUrl: 'https://hub.example', asksThisMachine: true },
  ],
  [
    'a daemon without settings',
    { python: null, hubUrl: 7, requireToken: 'yes', behindProxy: null },
    { wantedPython: null, hubUrl: null, asksThisMachine: false },
  ],
])('a folder where %s has run before is examined with its options', async (_, options, expected) => {
  const paths = await newDataFolder();
  if (options) await recordInstance(paths, { options });
  const { asked } = await examined(paths, {}, [diagnosisOf([])]);
  expect(asked).toEqual([
    {
      ...expected,
      paths,
      holder: null,
      assetsDir: join(projectDir, 'assets'),
      containerEngine: expect.any(Function),
      graphicsCards: expect.any(Function),
      clock: systemClock,
    },
  ]);
});

test('a daemon that runs is examined with its answer, one that does not answer without', async () => {
  const paths = await newDataFolder();
  const { url } = await serveScripted({});
  const instance = await recordInstance(paths, { url, options: { python: '/opt/python' } });
  const [answering] = (await examined(paths, {}, [diagnosisOf([])])).asked;
  expect(answering).toMatchObject({ holder: { ...instance, status: statusOfDaemon }, wantedPython: '/opt/python' });
  const silent = await newDataFolder();
  const lock = await lockDataFolder(silent);
  onTestFinished(() => lock.release());
  await recordInstance(silent, { pid: process.pid, startTime: await startTimeOf(process.pid) });
  const [hanging] = (await examined(silent, {}, [diagnosisOf([])])).asked;
  expect(hanging).toMatchObject({ holder: { pid: process.pid, url: null, status: null } });
});

test.each<[string, string | null, boolean, boolean]>([
  ['which the setting forbids', 'none', true, false],
  ['which the setting names', '/nowhere/engine.sock', false, true],
  ['which is installed', null, true, true],
  ['of which there is no trace', null, false, false],
])('a container engine %s is expected or not', async (_, containerEngine, isInstalled, isExpected) => {
  const paths = await newDataFolder();
  const folder = join(paths.root, 'bin');
  await mkdir(folder);
  if (isInstalled) {
    await writeFile(join(folder, 'docker'), '');
    await chmod(join(folder, 'docker'), 0o755);
  }
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await recordInstance(paths, { options: { containerEngine } });
  const [question] = (await examined(paths, {}, [diagnosisOf([])])).asked;
  const state = await question?.containerEngine();
  expect(state?.isExpected).toBe(isExpected);
  if (containerEngine !== null) expect(state?.status.label).toBeNull();
});

test('what can be repaired is, and the second diagnosis decides on the code; what only a person can do is left', async () => {
  const paths = await newDataFolder();
  const old = join(paths.root, 'old');
  await mkdir(old);
  const remove = finding('old', { kind: 'remove', paths: [old] });
  const fixed = await examined(paths, { fix: true }, [diagnosisOf([byHand, remove]), diagnosisOf([])]);
  expect(fixed.out).toMatch(/\nRepaired\n {2}done {2}old: 1 item\(s\) removed\.\n {8}\/data\/old\n$/);
  expect({ code: fixed.code, looks: fixed.asked.length }).toEqual({ code: 0, looks: 2 });
  expect(await readdir(paths.root)).not.toContain('old');
  (await lockDataFolder(paths)).release();

  const left = await examined(paths, { fix: true }, [diagnosisOf([byHand])]);
  expect(left.out).toMatch(/\nNothing to repair\.\n$/);
  expect({ code: left.code, looks: left.asked.length }).toEqual({ code: 1, looks: 1 });
});

test('what is in the place of the lock is repaired first and once, so that the lock can be taken for the rest', async () => {
  const paths = await newDataFolder();
  await symlink(join(paths.root, 'nowhere'), paths.lockFile);
  await writeFile(paths.jobsFile, '{');
  const findings = [
    finding('record-damaged', { kind: 'set-aside', path: paths.jobsFile }),
    finding(LOCK_OBSTRUCTED, { kind: 'set-aside', path: paths.lockFile }),
  ];
  const { out } = await examined(paths, { fix: true, json: true }, [diagnosisOf(findings)]);
  const aside = (name: string) => expect.stringMatching(`^Kept as ${paths.root}/${name}\\.damaged-\\d+T\\d+\\.$`);
  expect((JSON.parse(out) as { repaired: unknown }).repaired).toEqual([
    { code: LOCK_OBSTRUCTED, where: `/data/${LOCK_OBSTRUCTED}`, done: true, what: aside('daemon.lock') },
    { code: 'record-damaged', where: '/data/record-damaged', done: true, what: aside('jobs.json') },
  ]);
});

test('a folder that a daemon has taken meanwhile is not repaired', async () => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  onTestFinished(() => lock.release());
  await recordInstance(paths, { pid: process.pid, startTime: await startTimeOf(process.pid) });
  await writeFile(paths.jobsFile, '{');
  const damaged = finding('record-damaged', { kind: 'set-aside', path: paths.jobsFile });
  const work = examined(paths, { fix: true }, [diagnosisOf([damaged])]);
  await expect(work).rejects.toThrow('Another daemon is using the data folder');
  expect(await readFile(paths.jobsFile, 'utf8')).toBe('{');
});

test('while a daemon runs, it repairs what it can; one that does not answer is left alone', async () => {
  const paths = await newDataFolder();
  const freed = { path: '/data/cache', bytes: 0, unusedBytes: 0, isComplete: true, freedBytes: 5_000_000 };
  const { url, seen } = await serveScripted({ pruneDownloadCache: freed });
  const prune = finding('cache-large', { kind: 'prune-cache', uv: null, cacheDir: '/data/cache' });
  const remove = finding('old', { kind: 'remove', paths: [join(paths.root, 'old')] });
  await writeFile(join(paths.root, 'old'), '');
  const all = [prune, byHand, remove];
  const running = await examined(paths, { fix: true }, [diagnosisOf(all, { ...daemonFound, url }), diagnosisOf([])]);
  expect(running.out).toContain(`
Repaired
  done  cache-large: 5 MB freed.
        /data/cache-large
  NOT   old: Not possible while the daemon runs. Run robot-daemon stop, then repeat.
        /data/old
`);
  expect(seen.map(({ call }) => call)).toEqual(['POST /api/download-cache/prune']);
  const silent = await examined(paths, { fix: true }, [diagnosisOf(all, daemonFound)]);
  expect({ text: silent.out.split('\n').at(-2), code: silent.code }).toEqual({ text: 'Nothing to repair.', code: 1 });
  expect(await readdir(paths.root)).toContain('old');
});

const AT = '2026-11-27T08:00:00.000Z';
const install: Job = {
  ...{ id: 'one', kind: 'install-app', subject: '/wave', appName: 'wave', state: 'done', steps: [], detail: null },
  ...{ transfer: null, cancelling: false, failure: null, createdAt: AT, startedAt: AT, endedAt: AT, logTail: [] },
};
const again = finding('pointer-damaged', { kind: 'install-again', appName: 'wave', url: '/wave' });

/** A daemon for repairs, which notes what happens to it. @param onStart called while it has the folder */
async function daemonForRepairs(paths: DataPaths, job = install, onStart = () => {}) {
  const { url, seen } = await serveScripted({ installApp: job, getJob: job });
  const events: string[] = [];
  const given: DaemonOptions[] = [];
  const createDaemon = (options: DaemonOptions) => {
    given.push(options);
    return {
      url,
      accessToken: options.requireToken ? 'an-access-token-for-all' : null,
      start: async () => {
        events.push('start');
        (await lockDataFolder(paths, { port: 0 })).release(); // it records itself
        onStart();
      },
      stop: async () => events.push(`stop after ${seen.length} requests`) > 0,
    };
  };
  return { createDaemon, events, given, seen };
}
const lastOptions = {
  python: '/opt/python',
  port: 8000,
  host: '0.0.0.0',
  startupApp: 'wave',
  serialPort: '/dev/robot',
};
const keptRecord = { pid: process.pid, options: lastOptions, desktop: ['/opt/robot-desktop'] };
async function folderOfDaemon(): Promise<DataPaths> {
  const paths = await newDataFolder();
  await recordInstance(paths, { options: lastOptions, desktop: ['/opt/robot-desktop'] });
  return paths;
}

test('an app is installed again by a daemon with the options of the last one, whose record stays', async () => {
  const paths = await folderOfDaemon();
  await writeFile(paths.jobsFile, '{');
  const { createDaemon, events, given, seen } = await daemonForRepairs(paths);
  const damaged = finding('record-damaged', { kind: 'set-aside', path: paths.jobsFile });
  const diagnoses = [diagnosisOf([again, damaged]), diagnosisOf([])] as const;
  const { out, code } = await examined(paths, { fix: true }, diagnoses, createDaemon);
  expect(out).toMatch(
    /\nRepaired\n {2}done {2}record-damaged: Kept .*\n.*\n {2}done {2}pointer-damaged: Installed again from \/wave\.\n.*\n$/,
  );
  expect(code).toBe(0);
  expect(given).toMatchObject([
    {
      ...{ dataDir: paths.root, python: '/opt/python', host: '127.0.0.1', port: 0, logLevel: 'error' },
      ...{ robot: 'simulation', serialPort: null, startupApp: null, wakeUpOnStart: false },
      ...{ version: await projectVersion(projectDir), resources: projectResources(projectDir) },
    },
  ]);
  expect(events).toEqual(['start', 'stop after 2 requests']);
  expect(seen[0]).toMatchObject({ call: 'POST /api/apps/install', body: { url: '/wave' } });
  expect(await instanceIn(paths)).toMatchObject(keptRecord);
});

test('an install that fails is reported; the daemon for it ends, and the record of the last one stays', async () => {
  const paths = await folderOfDaemon();
  const failure = { reason: 'network', message: 'The hub is away.', action: 'Try again.', evidence: [] } as const;
  const { createDaemon, events } = await daemonForRepairs(paths, {
    ...{ ...install, state: 'failed', failure: { ...failure, evidence: [] } },
  });
  const { out, code } = await examined(paths, { fix: true }, [diagnosisOf([again])], createDaemon);
  expect(out).toContain('  NOT   pointer-damaged: Not repaired: The hub is away. Try again.\n');
  expect({ code, events }).toEqual({ code: 1, events: ['start', 'stop after 2 requests'] });
  expect(await instanceIn(paths)).toMatchObject(keptRecord);
});

test('where the daemon for an install cannot start, the record of the last one stays too', async () => {
  const paths = await folderOfDaemon();
  const { createDaemon } = await daemonForRepairs(paths, install, () => {
    throw new Error('no port');
  });
  await expect(examined(paths, { fix: true }, [diagnosisOf([again])], createDaemon)).rejects.toThrow('no port');
  expect(await instanceIn(paths)).toMatchObject(keptRecord);
});

test('where another daemon has taken the folder first, its record is left alone', async () => {
  const paths = await folderOfDaemon();
  const { createDaemon } = await daemonForRepairs(paths, install, () => {
    throw new DataFolderInUse(paths, null);
  });
  await expect(examined(paths, { fix: true }, [diagnosisOf([again])], createDaemon)).rejects.toThrow(DataFolderInUse);
  expect(await instanceIn(paths)).toMatchObject({ options: { port: 0 } });
});
