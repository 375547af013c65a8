/** When the startup app starts, with the real robot logic on the simulation, a slot, and controlled time. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InstalledApp } from '../contract/apps/apps.ts';
import type { DaemonEvent } from '../contract/events.ts';
import type { Job } from '../contract/jobs.ts';
import { Robot } from '../robot/robot.ts';
import { SimulationBackend } from '../robot/simulation/simulation-backend.ts';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from '../testing/manual-loop.ts';
import { AppSlot, type Lease } from './run/app-slot.ts';
import { StartupApp, type StartupAppDeps } from './startup-app.ts';

async function house(forThisRun: string | null, more: Partial<StartupAppDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'startup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const events: DaemonEvent[] = [];
  const publish = (event: DaemonEvent) => void events.push(event);
  const lines: string[] = [];
  const log = createLogger('info', (line) => lines.push(line));
  const backend = new SimulationBackend();
  const loop = new ManualLoop();
  const robot = new Robot({ backend, loop, publish, log: createLogger('error', () => {}) });
  const slot = new AppSlot({ publish, now: () => new Date(0) });
  const installed = new Set(['wave']);
  const started: string[] = [];
  const leases: Lease[] = [];
  const startupApp = new StartupApp({
    file: join(folder, 'startup-app.json'),
    forThisRun,
    findApp: (name) => (installed.has(name) ? ({ name } as InstalledApp) : null),
    findInCatalog: async (name) => (name === 'dance' ? '/samples/dance' : null),
    install: async () => {
      installed.add('dance');
      return { state: 'done' } as Job;
    },
    startApp: async (name) => {
      leases.push(slot.take({ kind: 'managed-app', appName: name, runId: '1' }));
      started.push(name);
    },
    slot,
    robot,
    publish,
    log,
    ...more,
  });
  await startupApp.load();
  startupApp.watch();
  const touch = async () => {
    backend.simulator.touch('left');
    await loop.pass(3);
  };
  return { folder, startupApp, robot, loop, slot, started, leases, installed, lines, events, touch };
}

test('the app starts after the first wake-up and not after the second', async () => {
  const { robot, loop, started, leases } = await house('wave');
  robot.start({ wakeUp: true });
  await loop.pass(3);
  expect(started).toEqual(['wave']);
  leases[0]?.release();
  await loop.until(robot.sleep());
  await loop.until(robot.wakeUp());
  await loop.pass(1);
  expect(started).toEqual(['wave']);
});

test('every touch of the sleeping robot wakes it and starts the app once; a touch of the awake one does nothing', async () => {
  const { robot, loop, started, leases, touch } = await house('wave');
  robot.start({ wakeUp: false });
  await loop.pass(2);
  expect(started).toEqual([]);
  await touch();
  expect(robot.state.state).toBe('awake');
  expect(started).toEqual(['wave']);
  leases[0]?.release();
  await touch();
  expect(started).toEqual(['wave']);
  await loop.until(robot.sleep());
  await loop.pass(2);
  await touch();
  expect(started).toEqual(['wave', 'wave']);
});

test('without a startup app a touch leaves the robot asleep', async () => {
  const { robot, loop, touch } = await house(null);
  robot.start({ wakeUp: false });
  await loop.pass(2);
  await touch();
  expect(robot.state.state).toBe('asleep');
});

test('the app starts only in a free slot, not over an app, a local program or a remote session', async () => {
  for (const holder of [
    { kind: 'managed-app', appName: 'other', runId: '2' },
    { kind: 'local-app', name: 'script.py' },
    { kind: 'remote-session', name: 'someone' },
  ] as const) {
    const { robot, loop, slot, started, touch } = await house('wave');
    slot.take(holder);
    robot.start({ wakeUp: false });
    await loop.pass(2);
    await touch();
    expect(robot.state.state).toBe('asleep');
    await loop.until(robot.wakeUp());
    await loop.pass(1);
    expect(started).toEqual([]);
  }
});

test('a missing app is installed from the catalog before the robot is woken', async () => {
  const { startupApp, robot, loop, started, events } = await house('dance');
  expect(startupApp.name).toBeNull();
  await startupApp.prepare();
  expect(startupApp.name).toBe('dance');
  expect(events).toEqual([{ type: 'startup-app.changed', startupApp: 'dance' }]);
  robot.start({ wakeUp: true });
  await loop.pass(3);
  expect(started).toEqual(['dance']);
});

test('a robot woken by hand during the installation starts the app after it', async () => {
  const installing = Promise.withResolvers<void>();
  const { startupApp, robot, loop, started, installed } = await house('dance', {
    install: async () => {
      await installing.promise;
      installed.add('dance');
      return { state: 'done' } as Job;
    },
  });
  expect(startupApp.isMissing).toBe(true);
  robot.start({ wakeUp: false });
  const prepared = startupApp.prepare();
  await loop.until(robot.wakeUp());
  expect(started).toEqual([]);
  installing.resolve();
  await prepared;
  await loop.pass(0.1);
  expect(started).toEqual(['dance']);
});

test('a first wake-up that is stopped does not count: the next one starts the app', async () => {
  const { robot, loop, started } = await house('wave');
  robot.start({ wakeUp: true });
  await loop.pass(0.5);
  robot.stop();
  await loop.pass(0.1);
  expect(started).toEqual([]);
  await loop.until(robot.wakeUp());
  expect(started).toEqual(['wave']);
});

test('failures are logged and change nothing else', async () => {
  const unknown = await house('unheard_of');
  await unknown.startupApp.prepare();
  expect(unknown.lines.join('')).toContain('the app catalog does not have it');
  unknown.robot.start({ wakeUp: true });
  await unknown.loop.pass(3);
  expect(unknown.robot.state.state).toBe('awake');

  const failure = { reason: 'network', message: 'No network.', action: '', evidence: [] };
  const failing = await house('dance', { install: async () => ({ state: 'failed', failure }) as unknown as Job });
  await failing.startupApp.prepare();
  expect(failing.lines.join('')).toContain('could not be installed: No network.');
});

test('the choice is stored and can be cleared; only an installed app can be chosen', async () => {
  const { startupApp, installed, events } = await house(null);
  await startupApp.choose('wave');
  expect(startupApp.name).toBe('wave');
  await expect(startupApp.choose('dance')).rejects.toThrow('There is no installed app "dance".');
  installed.delete('wave');
  expect(startupApp.name).toBeNull(); // removed with its app
  await startupApp.choose(null);
  const changes = events.filter(({ type }) => type === 'startup-app.changed');
  expect(changes).toEqual([
    { type: 'startup-app.changed', startupApp: 'wave' },
    { type: 'startup-app.changed', startupApp: null },
  ]);
});

const storedIn = async (folder: string) => JSON.parse(await readFile(join(folder, 'startup-app.json'), 'utf8'));

test('the choice goes with its app, also when the daemon is killed right after the removal', async () => {
  const { folder, startupApp, installed } = await house(null);
  const file = join(folder, 'startup-app.json');
  await startupApp.choose('wave');
  await startupApp.removeWith('wave', async () => {
    installed.delete('wave');
    const next = await house(null, { file, findApp: () => null }); // the daemon after a kill at this point
    expect(next.startupApp.name).toBeNull();
    expect(await storedIn(folder)).toEqual({ startupApp: null });
  });
  expect(await storedIn(folder)).toEqual({ startupApp: null });
});

test('the choice stays when the removal of its app fails, or is cut short by a kill before the app is gone', async () => {
  const { folder, startupApp } = await house(null);
  const file = join(folder, 'startup-app.json');
  await startupApp.choose('wave');
  const remove = async () => {
    const next = await house(null, { file });
    expect(next.startupApp.name).toBe('wave');
    throw new Error('busy');
  };
  await expect(startupApp.removeWith('wave', remove)).rejects.toThrow('busy');
  expect(startupApp.name).toBe('wave');
  expect(await storedIn(folder)).toEqual({ startupApp: 'wave' });
});

test('the removal of another app, or of the app for this run, keeps the stored choice', async () => {
  const { folder, startupApp, installed, events } = await house(null);
  await startupApp.choose('wave');
  await startupApp.removeWith('tap', async () => {});
  installed.add('dance');
  const file = join(folder, 'startup-app.json');
  const next = await house('dance', {
    file,
    findApp: (name) => (installed.has(name) ? ({ name } as InstalledApp) : null),
  });
  await next.startupApp.removeWith('dance', async () => void installed.delete('dance'));
  expect(next.startupApp.name).toBe('wave');
  expect(next.events).toEqual([{ type: 'startup-app.changed', startupApp: 'wave' }]);
  expect(events).toHaveLength(1);
  expect(await storedIn(folder)).toEqual({ startupApp: 'wave' });
});

test('the choice of an app that was missing at the start is in force once the app is back, and goes with it', async () => {
  const { folder, startupApp } = await house(null);
  await startupApp.choose('wave');
  let isThere = false;
  const next = await house(null, {
    file: join(folder, 'startup-app.json'),
    findApp: (name) => (isThere ? ({ name } as InstalledApp) : null),
    findInCatalog: async () => expect.fail('looked for a choice that is stored'),
  });
  expect([next.startupApp.name, next.startupApp.isMissing]).toEqual([null, false]);
  await next.startupApp.prepare();
  isThere = true;
  next.startupApp.appsChanged();
  next.startupApp.appsChanged(); // by another app
  expect(next.startupApp.name).toBe('wave');
  const remove = async () => {
    isThere = false;
    next.startupApp.appsChanged();
  };
  await next.startupApp.removeWith('wave', remove);
  expect(next.events).toEqual([
    { type: 'startup-app.changed', startupApp: 'wave' },
    { type: 'startup-app.changed', startupApp: null },
  ]);
  expect(await storedIn(folder)).toEqual({ startupApp: null });
});

test('a removal is done although the new choice cannot be stored', async () => {
  const { folder, startupApp, installed, lines } = await house(null);
  await startupApp.choose('wave');
  await rm(folder, { recursive: true });
  await writeFile(folder, ''); // so that nothing can be written in it
  await startupApp.removeWith('wave', async () => void installed.delete('wave'));
  expect(startupApp.name).toBeNull();
  expect(lines.join('')).toContain('the choice of the startup app could not be stored');
});
