import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { AppOnKilledDaemon, everything, nothing, type Observation, RUNS } from './app-on-killed-daemon.ts';
import type { KilledWork } from './killed-work.ts';

/** An operation during which the daemon is killed. */
interface Scene {
  /** Sets up its initial state. */
  readonly prepare: (app: AppOnKilledDaemon) => Promise<unknown>;
  /** Settles when it is over. */
  readonly run: (app: AppOnKilledDaemon) => Promise<unknown>;
  /** The app after the operation; omitted if the operation does not change it. */
  readonly becomes?: (before: InstalledApp | null, newest: string) => unknown;
  /** The app's file and variables after the operation; omitted if the operation does not change them. */
  readonly has?: typeof everything | typeof nothing;
}

const scenes: Readonly<Record<string, Scene>> = {
  install: {
    prepare: (app) => app.absent(),
    run: (app) => app.install(),
    becomes: (_, version) => expect.objectContaining({ version, previous: null, rolledBack: null }),
  },
  update: {
    prepare: (app) => app.present(),
    run: (app) => app.install(),
    becomes: (before, version) => expect.objectContaining({ version, previous: versionOf(before), rolledBack: null }),
  },
  rollback: {
    prepare: async (app) => (await app.present()).previous ?? app.install(),
    run: (app) => app.rollBack(),
    becomes: (before) => expect.objectContaining({ ...before?.previous, previous: versionOf(before) }),
  },
  start: { prepare: (app) => app.present(), run: (app) => app.start() },
  stop: { prepare: (app) => app.running(), run: (app) => app.stop() },
  restart: { prepare: (app) => app.running(), run: (app) => app.restart() },
  reset: {
    prepare: (app) => app.present(),
    run: (app) => app.reset(),
    becomes: (before) => ({ ...before, reset: { at: expect.any(String), until: expect.any(String) } }),
    has: nothing,
  },
  undo: {
    prepare: async (app) => {
      await app.present();
      await app.reset();
    },
    run: (app) => app.undoReset(),
    becomes: (before) => ({ ...before, reset: null }),
    has: everything,
  },
  remove: { prepare: (app) => app.present(), run: (app) => app.remove(), becomes: () => null },
};

/** An app is installed, updated, run and removed: the next daemon has the app as it was before, or as it is afterwards. */
export const workWithApps: KilledWork = {
  name: 'a daemon at work with apps',
  parts: Object.keys(scenes),
  kills: Object.keys(scenes).length,
  begin: async () => {
    const app = await AppOnKilledDaemon.begin();
    const lastsMs = await rehearse(app).catch(async (error: unknown) => {
      await app.end();
      throw error;
    });
    return {
      kill: async (name, _, random) => {
        const longestMs = lastsMs.get(name) ?? 0;
        const afterMs = random() * longestMs;
        const { state, isDone } = await killIn(app, name, afterMs);
        // The rehearsal may have met a busier machine: later kills come while the operation is under way.
        if (isDone) lastsMs.set(name, Math.min(longestMs, 1.3 * afterMs));
        return state;
      },
      [Symbol.asyncDispose]: () => app.end(),
    };
  },
};

/** @returns the duration of each operation, and a little more */
async function rehearse(app: AppOnKilledDaemon): Promise<Map<string, number>> {
  const lastsMs = new Map<string, number>();
  for (const [name, { prepare, run }] of Object.entries(scenes)) {
    await prepare(app);
    const startMs = performance.now();
    await run(app);
    lastsMs.set(name, 1.6 * (performance.now() - startMs));
  }
  return lastsMs;
}

/** @returns the state in which the app was found, and whether that shows that the operation was over */
async function killIn(app: AppOnKilledDaemon, name: string, afterMs: number) {
  const { prepare, run, becomes, has } = scenes[name] as Scene;
  const where = `${name}, killed after ${afterMs.toFixed(1)} ms`;
  await prepare(app);
  const before = await app.observe();
  void run(app).catch(() => {}); // the daemon is killed before it answers
  await sleep(afterMs);
  const orphans = await app.kill();

  expect(await app.next(orphans), where).toEqual([]);
  const now = await app.observe();
  const isOld = isDeepStrictEqual(now.app, before.app);
  if (!isOld) expect(now.app, where).toEqual(becomes ? becomes(before.app, `${app.version}.0`) : before.app);
  const state = `${name} (${becomes ? (isOld ? 'old' : 'new') : 'same'})`;
  const isDone = becomes !== undefined && !isOld;

  const isKept = before.app !== null && now.app !== null;
  expect(now, where).toMatchObject({
    variables: isKept ? before.variables : now.app && [],
    ownFile: isKept ? before.ownFile : null,
    ...(!isOld && has),
    startupApp: isKept ? before.startupApp : null,
    bystander: before.bystander,
    bystandersVariables: before.bystandersVariables,
  });
  expectJobsEnded(before, now, isOld, where);
  expectRunsTold(name, before, now, where);
  await app.diskIsFreed();
  const environments = now.app ? 1 + Number(now.app.previous !== null) : 0;
  const traces = (await app.traces()).map((trace) => trace.replace(/\/.*$/, '/environment'));
  expect(traces, where).toEqual([
    ...['hello-wave', 'hello-wave/environment'],
    ...(now.app ? ['polite', ...Array.from({ length: environments }, () => 'polite/environment')] : []),
  ]);
  if (!now.app) return { state, isDone };
  await app.start();
  expect(await app.printedVersion(), where).toBe(now.app.version);
  expect(await app.stop(), where).toMatchObject({ lastRun: { outcome: 'stopped', version: now.app.version } });
  return { state, isDone };
}

/** Earlier jobs are unchanged. The interrupted one failed, or was done with its work complete. */
function expectJobsEnded(before: Observation, now: Observation, isOld: boolean, where: string): void {
  const known = new Map(before.jobs.map((job) => [job.id, job]));
  const fresh = now.jobs.filter(({ id }) => !known.has(id));
  const others = now.jobs.filter(({ id }) => known.has(id));
  expect(others, where).toEqual(others.map(({ id }) => known.get(id)));
  expect(fresh.length, where).toBeLessThanOrEqual(1);
  for (const { state, endedAt, failure } of fresh) {
    expect(endedAt, where).not.toBeNull();
    if (state === 'done') expect(isOld, where).toBe(false);
    else expect({ state, reason: failure?.reason }, where).toEqual({ state: 'failed', reason: 'interrupted' });
  }
}

/** Runs are lost only with their app or before they were published. The interrupted run has an end. */
function expectRunsTold(name: string, before: Observation, now: Observation, where: string): void {
  expect(now.slot, where).toEqual({ state: 'free', lastRun: now.runs[0] ?? null });
  if (before.app && !now.app) {
    expect([before.runs, []], where).toContainEqual(now.runs);
    return;
  }
  const fresh = now.runs.filter(({ runId }) => !before.runs.some((run) => run.runId === runId));
  expect(now.runs.slice(fresh.length), where).toEqual(before.runs.slice(0, RUNS - fresh.length));
  const { slot } = before;
  const underWay = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.runId : null;
  const ofBefore = fresh.find(({ runId }) => runId === underWay);
  if (underWay) expect(ofBefore, where).toBeDefined();
  const wasStopped = ofBefore?.outcome === 'stopped';
  const interrupted = wasStopped ? fresh.filter((run) => run !== ofBefore) : fresh;
  const message = 'The daemon stopped while it ran.';
  expect(interrupted, where).toEqual(
    interrupted.map(() => expect.objectContaining({ outcome: 'killed', message, version: before.app?.version })),
  );
  // A start has begun one; a restart begins the next one only once the one before has stopped.
  const begun = name === 'start' || (name === 'restart' && wasStopped) ? 1 : Number(underWay !== null && !wasStopped);
  expect(interrupted.length, where).toBeLessThanOrEqual(begun);
}

function versionOf(app: InstalledApp | null) {
  return app && { version: app.version, source: app.source, installedAt: app.installedAt };
}
