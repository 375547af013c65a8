import { expect, test } from 'vitest';
import { DaemonError } from '../../client/daemon-error.ts';
import { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job, JobFailure } from '../../contract/jobs.ts';
import { appNamed } from '../../testing/apps/some-apps.ts';
import { captureOutput, withoutWaiting } from '../../testing/terminal/in-process.ts';
import { scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { Interrupted } from '../shared/errors.ts';
import { type UpdateOptions, update } from './installed-apps.ts';

const never = new AbortController().signal;
const AT = '2026-11-27T08:00:00.000Z';
const newer = { update: { commit: 'a'.repeat(40), seenAt: AT } };
const app = (name: string, more: Partial<InstalledApp> = {}) => InstalledApp.parse({ ...appNamed(name), ...more });

const jobOf = (appName: string, more: Partial<Job> = {}): Job => ({
  ...{ id: appName, kind: 'update-app', subject: `/${appName}`, appName, state: 'done', steps: [], detail: null },
  ...{ transfer: null, cancelling: false, failure: null, createdAt: AT, startedAt: AT, endedAt: AT, logTail: [] },
  ...more,
});
const failed = (failure: Partial<JobFailure> = {}): Partial<Job> => ({
  state: 'failed',
  failure: { reason: 'network', message: 'The hub is away.', action: 'Try again.', evidence: [], ...failure },
});

/** Updates on a daemon with apps, whose jobs end as given. */
async function updated(
  appName: string | undefined,
  options: UpdateOptions = {},
  { apps = [], ends = {} }: { apps?: InstalledApp[]; ends?: Readonly<Record<string, Partial<Job>>> } = {},
) {
  const printed = captureOutput();
  const { client, calls } = scriptedClient({
    checkForUpdates: () => apps,
    updateApp: ({ params }) => jobOf(params.appName, { state: 'running', endedAt: null }),
    getJob: ({ params }) => jobOf(params.jobId, ends[params.jobId]),
  });
  await update({ client, signal: never }, appName, options);
  const { out, err, code } = printed;
  return { out, err, code, calls: calls.filter(([name]) => name !== 'getJob') };
}
const updateOf = (appName: string, downloadPython = false) => [
  'updateApp',
  { params: { appName }, query: { downloadPython } },
];

test('without a name each app with a newer version is updated, except those that are pinned', async () => {
  const apps = [app('newest'), app('wave', newer), app('held', { ...newer, pinned: true }), app('dance', newer)];
  expect(await updated(undefined, {}, { apps })).toEqual({
    ...{ out: 'wave is up to date.\ndance is up to date.\n', err: '', code: 0 },
    calls: [['checkForUpdates'], updateOf('wave'), updateOf('dance')],
  });
});

test('where no app has a newer version, that is stated, and nothing is updated', async () => {
  const apps = [app('newest'), app('held', { pinned: true })];
  expect(await updated(undefined, {}, { apps })).toEqual({
    ...{ out: 'All apps are up to date.\n', err: '', code: 0 },
    calls: [['checkForUpdates']],
  });
});

test('an app whose source cannot be asked is named on standard error; the others are updated, and the code is 1', async () => {
  const apps = [app('lost', { updateProblem: 'Its repository is gone.' }), app('wave', newer)];
  expect(await updated(undefined, {}, { apps })).toEqual({
    ...{ out: 'wave is up to date.\n', err: 'lost: Its repository is gone.\n', code: 1 },
    calls: [['checkForUpdates'], updateOf('wave')],
  });
  const { out, err, code } = await updated(undefined, { json: true }, { apps: apps.slice(0, 1) });
  expect({ out, err, code }).toEqual({ out: '[]\n', err: '', code: 1 });
});

test('an app that is named is updated without a check, and with the Python that may be downloaded', async () => {
  expect(await updated('held', { downloadPython: true })).toEqual({
    ...{ out: 'held is up to date.\n', err: '', code: 0 },
    calls: [updateOf('held', true)],
  });
});

test('an update that fails says why and what to do; the next app is updated, and the code is 1', async () => {
  const apps = [app('wave', newer), app('dance', newer)];
  const { out, code } = await updated(undefined, {}, { apps, ends: { wave: failed() } });
  expect({ out, code }).toEqual({
    out: 'wave stays as it was. The hub is away. Try again.\ndance is up to date.\n',
    code: 1,
  });
});

test('a failure that takes another Python, or has several apps to choose from, says so', async () => {
  const python = await updated('wave', {}, { ends: { wave: failed({ pythonDownload: '3.12.4' }) } });
  expect(python.out).toBe(
    'wave stays as it was. The hub is away. Try again. Repeat this command with --download-python to accept that.\n',
  );
  const found = [
    { name: 'a', address: 'x#subdirectory=a' },
    { name: 'b', address: 'x\u001b' },
  ];
  const several = await updated('wave', {}, { ends: { wave: failed({ apps: found }) } });
  expect(several.out).toBe('wave stays as it was. The hub is away. Try again.\n  a: x#subdirectory=a\n  b: x\\u001b\n');
});

test('an update that was cancelled elsewhere is reported, with code 1', async () => {
  const { out, code } = await updated('wave', {}, { ends: { wave: { state: 'cancelled', appName: null } } });
  expect({ out, code }).toEqual({ out: 'The update of /wave was cancelled.\n', code: 1 });
});

test('a job without the name of its app is called by its subject', async () => {
  expect((await updated('wave', {}, { ends: { wave: { appName: null } } })).out).toBe('/wave is up to date.\n');
  expect((await updated('wave', {}, { ends: { wave: { ...failed(), appName: null } } })).out).toMatch(
    /^\/wave stays as it was\. /,
  );
});

test('as JSON one app gives its job, all apps give a list of jobs, and no other text is printed', async () => {
  const one = await updated('wave', { json: true }, { ends: { wave: failed() } });
  expect({ ...one, out: JSON.parse(one.out) }).toMatchObject({ out: jobOf('wave', failed()), err: '', code: 1 });
  const all = await updated(undefined, { json: true }, { apps: [app('wave', newer)] });
  expect({ ...all, out: JSON.parse(all.out) }).toMatchObject({ out: [jobOf('wave')], err: '', code: 0 });
});

/** A job that does one step after the other, a step at each look. */
function slowJob(appName: string) {
  const steps = ['Fetch', 'Build'].map((title) => ({ name: title, title, state: 'pending' as Job['state'] }));
  const state = { looks: 0, cancelled: false };
  return {
    state,
    look: (): Job => {
      state.looks += 1;
      const done = state.cancelled ? 'cancelled' : state.looks > 2 ? 'done' : null;
      return jobOf(appName, {
        steps: steps.map((step, index) => ({
          ...step,
          state: index < state.looks ? 'running' : 'pending',
        })) as Job['steps'],
        ...(done === null ? { state: 'running', endedAt: null } : { state: done }),
      });
    },
  };
}

test.each([
  [{}, 'Fetch…\nBuild…\n'],
  [{ json: true }, ''],
])('with the options %j, the steps of an update on standard error are %j', async (options, steps) => {
  const printed = captureOutput();
  const { look, state } = slowJob('wave');
  const { client } = scriptedClient({ updateApp: () => jobOf('wave'), getJob: look });
  await withoutWaiting(() => update({ client, signal: never }, 'wave', options));
  expect({ err: printed.err, code: printed.code, looks: state.looks }).toEqual({ err: steps, code: 0, looks: 3 });
});

test('an interrupt cancels the update, and no other app is updated', async () => {
  const printed = captureOutput();
  const interrupt = new AbortController();
  const { look, state } = slowJob('wave');
  const { client, calls } = scriptedClient({
    checkForUpdates: () => [app('wave', newer), app('dance', newer)],
    updateApp: () => jobOf('wave'),
    getJob: () => {
      interrupt.abort(new Interrupted());
      return look();
    },
    cancelJob: () => {
      state.cancelled = true;
      return jobOf('wave');
    },
  });
  const work = withoutWaiting(() => update({ client, signal: interrupt.signal }, undefined, {}));
  await expect(work).rejects.toThrow(Interrupted);
  expect(calls.filter(([name]) => name !== 'getJob')).toEqual([
    ['checkForUpdates'],
    updateOf('wave'),
    ['cancelJob', { params: { jobId: 'wave' } }],
  ]);
  expect(printed.out).toBe('');
});

test('a refusal of the daemon ends the command', async () => {
  const refuse = () => {
    throw new DaemonError(409, 'wave runs.');
  };
  const { client } = scriptedClient({ updateApp: refuse });
  await expect(update({ client, signal: never }, 'wave', {})).rejects.toThrow('wave runs.');
});
