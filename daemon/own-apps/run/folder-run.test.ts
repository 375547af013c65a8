/** The calls of the runner and the installer by a run from a folder, with doubles of both. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AppToStart } from '../../apps/installed/app-launch.ts';
import { AppAlreadyRunning } from '../../apps/run/errors.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { AppManifest, type InstalledApp } from '../../contract/apps/apps.ts';
import type { CheckFinding, OwnAppRun } from '../../contract/apps/own-apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { appNamed } from '../../testing/apps/some-apps.ts';
import { FolderRun } from './folder-run.ts';
import type { FolderWatchListeners } from './folder-watch.ts';
import type { InspectedFolder } from './runnable-folder.ts';

const FOLDER = '/home/ann/dance';
const app: InstalledApp = { ...(appNamed('dance') as InstalledApp), source: { kind: 'folder', path: FOLDER } };
const slot: AppSlotState = { state: 'free', lastRun: null };

async function started(more: { isInstalled?: boolean; importRoot?: string } = {}) {
  const { isInstalled = true, importRoot = FOLDER } = more;
  const calls: string[] = [];
  const runs: OwnAppRun[] = [];
  const jobEnd = Promise.withResolvers<Job>();
  const over: { refusal: Error | null; inspected: Promise<InspectedFolder>; isInstalled: boolean } = {
    refusal: null,
    inspected: Promise.resolve({
      findings: [],
      runnable: { manifest: AppManifest.parse(app), importRoot, importFolder: '', settingsPage: null },
    }),
    isInstalled,
  };
  let running: AppToStart | null = null;
  let listeners: FolderWatchListeners | null = null;
  const called = async (call: string) => {
    calls.push(call);
    if (over.refusal) throw over.refusal;
    return slot;
  };
  const run = new FolderRun(FOLDER, {
    runner: {
      start: async (what) => {
        running = what as AppToStart;
        return called('start');
      },
      reload: () => called('reload'),
      stop: () => called('stop'),
      isRunningAs: (what) => what === running,
    },
    installed: {
      find: () => app,
      findFrom: () => (over.isInstalled ? app : null),
      launch: () => ({ app, python: '', workDir: '' }),
      removeUnused: async () => void calls.push('removeUnused'),
    },
    installer: {
      installOwn: async () => {
        calls.push('build');
        return { id: 'job' } as Job;
      },
    },
    jobs: {
      ended: () => jobEnd.promise,
      cancel: (id) => {
        calls.push(`cancel ${id}`);
        jobEnd.resolve({ state: 'cancelled', failure: null } as Job);
        return {} as Job;
      },
    },
    inspect: () => {
      calls.push('check');
      return over.inspected;
    },
    watch: async (_, given) => {
      listeners = given;
      return { close: async () => void calls.push('close') };
    },
    onChange: (next) => runs.push(next),
    onDescription: () => calls.push('describe'),
    log: createLogger('error', () => {}),
  });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  };
  run.start({ replace: false });
  await settled();
  return {
    ...{ run, over, jobEnd, settled },
    change: (...paths: string[]) => listeners?.onChange(paths),
    gone: () => listeners?.onGone(),
    /** The app ends by itself or is stopped, for good or to start again. */
    ends: (outcome: 'crashed' | 'stopped', { goesOn = false } = {}) =>
      running?.find().folder?.onOver({
        run: { outcome, message: `It ${outcome}.` } as never,
        stopAsked: outcome === 'stopped',
        goesOn,
      }),
    called: () => calls.splice(0),
    get now() {
      return runs.at(-1);
    },
  };
}

test('it is checked and started, and a change of code is checked and reloaded', async () => {
  const own = await started();
  expect(own.called()).toEqual(['describe', 'check', 'start']);
  own.change('dance/main.py', 'notes.txt');
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'reload']);
  expect(own.now).toEqual({ state: 'running', jobId: null, reloads: 1, problem: null, findings: [] });
  own.change('notes.txt', 'dance/static/page.js');
  await own.settled();
  expect(own.called()).toEqual([]);
  own.change('pyproject.toml');
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check']);
});

test('changes during a check are checked again, and reloaded once', async () => {
  const own = await started();
  own.called();
  const { inspected } = own.over;
  const slow = Promise.withResolvers<InspectedFolder>();
  own.over.inspected = slow.promise;
  own.change('dance/main.py');
  await own.settled();
  own.over.inspected = inspected;
  for (const path of ['dance/a.py', 'dance/b.py', 'dance/c.py']) own.change(path);
  slow.resolve(await inspected);
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'describe', 'check', 'reload']);
  expect(own.now).toMatchObject({ reloads: 1 });
});

test('a change that is not taken tells only what prevents it', async () => {
  const own = await started();
  const finding = (id: string, severity: 'problem' | 'warning'): CheckFinding => ({
    ...{ id, severity, message: 'It is wrong.', action: 'Correct it.' },
    ...{ file: 'dance/main.py', line: 1, fixable: false },
  });
  const syntaxError = finding('syntax-error', 'problem');
  const findings = [finding('secret', 'problem'), syntaxError, finding('no-readme', 'warning')];
  own.over.inspected = Promise.resolve({ findings, runnable: null });
  own.change('dance/main.py');
  await own.settled();
  expect(own.now).toMatchObject({
    ...{ state: 'running', reloads: 0, findings: [syntaxError] },
    problem: 'dance/main.py, line 1: It is wrong.',
  });
});

test('a reload that is refused leaves what runs, and the next change tries again', async () => {
  const own = await started();
  own.called();
  own.over.refusal = new DiskFull('/data');
  own.change('dance/main.py');
  await own.settled();
  expect(own.now).toMatchObject({ state: 'running', problem: 'The disk of /data is full.', reloads: 0 });
  own.over.refusal = null;
  own.change('pyproject.toml'); // what was not taken is still to be taken
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'reload', 'describe', 'check', 'reload']);
  expect(own.now).toMatchObject({ state: 'running', problem: null, reloads: 1 });
});

test('after a crash it waits, and the next change starts it', async () => {
  const own = await started();
  own.ends('crashed');
  expect(own.now).toMatchObject({ state: 'waiting', problem: 'It crashed.' });
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'start']);
  own.change('README.md');
  await own.settled();
  expect(own.called()).toEqual(['describe']);
  own.change('dance/main.py');
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'start']);
  expect(own.now).toMatchObject({ state: 'running', reloads: 1 });
});

test('a restart does not end the run, and the next change is taken', async () => {
  const own = await started();
  own.called();
  own.ends('stopped', { goesOn: true });
  expect(own.now).toMatchObject({ state: 'running', problem: null });
  own.change('dance/main.py');
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'reload']);
});

test.each<[string, (own: Awaited<ReturnType<typeof started>>) => unknown, string | null, string[]]>([
  ['a stop from elsewhere', (own) => own.ends('stopped'), null, ['close']],
  ['its own stop', (own) => own.run.stop(), null, ['stop', 'close', 'close']],
  [
    'a folder that is gone',
    (own) => own.gone(),
    `The folder ${FOLDER} does not exist any more, so that its app cannot go on.`,
    ['stop', 'close'],
  ],
])('%s ends the run with its watch', async (_, end, problem, calls) => {
  const own = await started();
  own.called();
  await end(own);
  await own.settled();
  expect(own.now).toEqual({ state: 'off', jobId: null, reloads: 0, problem, findings: [] });
  expect(own.called()).toEqual(calls);
  own.change('dance/main.py');
  await own.settled();
  expect(own.called()).toEqual([]);
});

test('while it waits, another app in the slot ends it at the next change', async () => {
  const own = await started();
  own.ends('crashed');
  own.over.refusal = new AppAlreadyRunning({ kind: 'managed-app', appName: 'wave', runId: '' });
  own.change('dance/main.py');
  await own.settled();
  expect(own.now).toMatchObject({ state: 'off', problem: expect.stringContaining('"wave"') });
});

test('a build comes before the start, and a stop cancels it', async () => {
  const own = await started({ isInstalled: false });
  expect(own.called()).toEqual(['describe', 'check', 'build']);
  expect(own.now).toMatchObject({ state: 'preparing', jobId: 'job' });
  await own.run.stop();
  await own.settled();
  expect(own.called()).toEqual(['cancel job', 'close', 'close']);
  expect(own.now).toMatchObject({ state: 'off', jobId: null });
});

test('a build that fails is reported, and tried again at the next change', async () => {
  const own = await started({ isInstalled: false });
  const failure = { message: 'The index cannot be reached.', action: 'Try again.' };
  own.jobEnd.resolve({ state: 'failed', failure } as Job);
  await own.settled();
  expect(own.now).toMatchObject({ state: 'waiting', jobId: null, problem: 'The index cannot be reached. Try again.' });
  own.called();
  own.change('dance/main.py');
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'build']);
});

test('a build that fails after a change of declarations leaves what runs', async () => {
  const own = await started();
  own.called();
  own.over.isInstalled = false;
  own.change('pyproject.toml');
  await own.settled();
  expect(own.now).toMatchObject({ state: 'running', jobId: 'job', reloads: 0 });
  own.jobEnd.resolve({ state: 'failed', failure: { message: 'No such package.', action: 'Correct it.' } } as Job);
  await own.settled();
  expect(own.called()).toEqual(['describe', 'check', 'build']);
  expect(own.now).toMatchObject({ state: 'running', jobId: null, problem: 'No such package. Correct it.', reloads: 0 });
});

test('a path that Python would split is refused, instead of running what was installed', async () => {
  const own = await started({ importRoot: '/home/ann/a:b' });
  expect(own.called()).toEqual(['describe', 'check']);
  expect(own.now).toMatchObject({ state: 'waiting', problem: expect.stringContaining('/home/ann/a:b') });
});
