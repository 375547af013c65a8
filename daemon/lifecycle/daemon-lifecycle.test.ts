import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { DaemonLifecycle, type DaemonLifecycleDeps, STOP_CAP_MS } from './daemon-lifecycle.ts';

/** A lifecycle whose parts only record their calls. A part named in `broken` rejects with its name. */
function someLifecycle({ broken = [] as string[], wakeUpOnStart = true, isMissing = false } = {}) {
  const clock = manualClock();
  const calls: string[] = [];
  const logged: string[] = [];
  const waits = new Map<string, Promise<void>>();
  const call = (name: string) => {
    calls.push(name);
    if (broken.includes(name)) throw new Error(name);
  };
  const part =
    <T>(name: string, result?: T) =>
    async () => {
      call(name);
      await waits.get(name);
      return result as T;
    };
  const lifecycle = new DaemonLifecycle({
    clearTheWay: part('clear the way'),
    lock: part('lock', { announce: (url) => part(`announce ${url}`, null)(), release: () => call('release the lock') }),
    children: {
      begin: part('sweep orphans'),
      record: part('record children'),
      sweep: part('sweep children'),
      close: part('close the record'),
    },
    storage: { begin: (write) => write(), close: async () => {} },
    work: { discard: part('discard work'), removeDiscarded: part('remove discarded work') },
    apps: {
      load: part('load apps'),
      startupApp: { watch: () => call('watch'), isMissing, prepare: part('prepare the startup app') },
      updates: { start: () => call('start updates'), close: () => call('close updates') },
      resets: { start: () => call('start resets'), close: () => call('close resets') },
      store: { close: part('close the store') },
      runner: { shutDown: part('stop the app') },
    },
    ownApps: { load: part('load own apps'), close: part('close own apps') },
    jobs: { load: part('load jobs'), close: part('close jobs') },
    models: { start: () => call('start models'), close: part('close models') },
    volume: { load: part('load volume') },
    lastEnd: { load: part('load last end'), report: part('tell last end') },
    notifications: { load: part('load notifications'), close: part('close notifications') },
    tools: { python: part('find Python'), close: () => call('close tools') },
    robot: {
      start: ({ wakeUp }) => call(`start the robot${wakeUp ? ', awake' : ''}`),
      ensureAwake: () => call('be awake'),
      park: part('park the robot', 'done'),
      close: part('close the robot'),
    },
    server: { open: part('open the server', 'http://127.0.0.1:1'), close: part('close the server') },
    wakeUpOnStart,
    dataDir: '/data',
    clock,
    log: createLogger('info', (line) => logged.push(line.slice(13).split('\n')[0] ?? '')),
  } satisfies DaemonLifecycleDeps);
  /** Delays a part until the returned function is called. */
  const hold = (name: string): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waits.set(name, promise);
    return resolve;
  };
  /** The calls since the last check. */
  const called = () => calls.splice(0);
  return { lifecycle, clock, called, logged, hold };
}

const listening = [
  'lock',
  'clear the way',
  'sweep orphans',
  'load apps',
  'load jobs',
  'load notifications',
  'load volume',
  'load last end',
  'discard work',
  'open the server',
  'announce http://127.0.0.1:1',
  'record children',
];
const rest = ['tell last end', 'watch', 'start the robot, awake', 'prepare the startup app', 'remove discarded work'];
const background = ['load own apps', 'start updates', 'start resets', 'start models', 'find Python'];
const undone = ['close the server', 'close the record', 'release the lock'];
const ended = [
  'close tools',
  'close updates',
  'close resets',
  'close own apps',
  'close jobs',
  'close the store',
  'stop the app',
  'close models',
  'park the robot',
  'close the robot',
  'close notifications',
  'sweep children',
  ...undone,
];

test('a start locks, sweeps, loads and listens; everything else comes after', async () => {
  const { lifecycle, called, logged } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  expect(called()).toEqual([...listening, ...rest, ...background, 'be awake']);
  expect(logged).toEqual(['info  listening at http://127.0.0.1:1, data in /data']);
});

test('the robot wakes up once its missing startup app is installed, and stays asleep if that is wanted', async () => {
  const missing = someLifecycle({ isMissing: true });
  await missing.lifecycle.start();
  await nextTurn();
  expect(missing.called()).toContain('start the robot');
  const asleep = someLifecycle({ wakeUpOnStart: false });
  await asleep.lifecycle.start();
  await nextTurn();
  expect(asleep.called()).not.toContain('be awake');
});

test.each([
  ['clear the way', 2],
  ['sweep orphans', 3],
  ['load apps', 8],
  ['open the server', 10],
  ['announce http://127.0.0.1:1', 12], // beside the record of the children
])('a start that fails at "%s" gives back what it took, and there is nothing to stop', async (broken, steps) => {
  const { lifecycle, called } = someLifecycle({ broken: [broken] });
  await expect(lifecycle.start()).rejects.toThrow(broken);
  expect(called()).toEqual([...listening.slice(0, steps), ...undone]);
  expect(await lifecycle.stop()).toBe(true);
  expect(called()).toEqual([]);
});

test('a start without the lock changes nothing, and kills no process of the daemon that holds it', async () => {
  const { lifecycle, called } = someLifecycle({ broken: ['lock'] });
  await expect(lifecycle.start()).rejects.toThrow('lock');
  await lifecycle.kill();
  expect(called()).toEqual(['lock']);
});

test('a stop ends every part, then the server, then releases the data folder; a second stop joins the first', async () => {
  const { lifecycle, called, logged } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([true, true]);
  expect(await lifecycle.stop()).toBe(true);
  expect(called()).toEqual(ended);
  expect(logged.slice(1)).toEqual(['info  stopping', 'info  stopped']);
});

test.each([
  'close jobs',
  'stop the app',
  'close notifications',
  'close the robot',
  'sweep children',
  'close the server',
])('a failure of "%s" is logged and keeps no other part from ending', async (broken) => {
  const { lifecycle, called, logged } = someLifecycle({ broken: [broken] });
  await lifecycle.start();
  await nextTurn();
  called();
  expect(await lifecycle.stop()).toBe(false);
  expect(called()).toEqual(ended);
  expect(logged).toContain(`error a part failed to stop: Error: ${broken}`);
});

test('a stop succeeds even if the robot cannot fold', async () => {
  const { lifecycle, called, logged } = someLifecycle({ broken: ['park the robot'] });
  await lifecycle.start();
  await nextTurn();
  called();
  expect(await lifecycle.stop()).toBe(true);
  expect(called()).toEqual(ended);
  expect(logged).toContain('warn  robot: not folded: park the robot');
});

test('a stop during a start waits for it, and the robot stays asleep', async () => {
  const { lifecycle, called, hold } = someLifecycle();
  const hasShutDown = hold('load apps');
  const started = lifecycle.start();
  await nextTurn();
  const stopped = lifecycle.stop();
  await nextTurn();
  expect(called()).toEqual(listening.slice(0, 8));
  hasShutDown();
  await started;
  expect(await stopped).toBe(true);
  const after = called();
  expect(after).not.toContain('be awake');
  expect(after.slice(-3)).toEqual(undone);
});

test('the app has ended before the endpoints do, and these before the robot folds', async () => {
  const { lifecycle, called, hold } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  const appEnds = hold('stop the app');
  const endpointsEnd = hold('close models');
  const stopped = lifecycle.stop();
  await nextTurn();
  expect(called().at(-1)).toBe('stop the app');
  appEnds();
  await nextTurn();
  expect(called()).toEqual(['close models']);
  endpointsEnd();
  expect(await stopped).toBe(true);
  expect(called().slice(0, 2)).toEqual(['park the robot', 'close the robot']);
});

test.each([
  ['stop the app', 3_000],
  ['close models', 500],
  ['close jobs', 0],
  ['close the store', 0],
  ['close own apps', 0],
])('"%s" that hangs delays the fold by %d ms, and keeps nothing else from ending', async (hanging, delayMs) => {
  const { lifecycle, clock, called, hold } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  hold(hanging);
  const stopped = lifecycle.stop();
  await clock.advance(Math.max(0, delayMs - 1));
  const before = called();
  expect(before.includes('park the robot')).toBe(delayMs === 0);
  await clock.advance(1);
  expect([...before, ...called()]).toContain('park the robot');
  await clock.advance(7_000 - Math.max(1, delayMs)); // what is late has until then
  expect(await stopped).toBe(false);
  expect(called().slice(-4)).toEqual(ended.slice(-4));
});

test('a part that ends late, while the robot folds, has stopped properly', async () => {
  const { lifecycle, clock, called, hold } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  const endpointsEnd = hold('close models');
  const folded = hold('park the robot');
  const stopped = lifecycle.stop();
  await clock.advance(1_000);
  expect(called()).toContain('park the robot');
  endpointsEnd();
  folded();
  expect(await stopped).toBe(true);
});

test('the deadlines of all parts together leave time before the cap', async () => {
  const { lifecycle, clock, called, hold } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  for (const part of ['stop the app', 'close models', 'park the robot', 'close the robot', 'close jobs']) hold(part);
  const stopped = lifecycle.stop();
  await clock.advance(STOP_CAP_MS - 1_000);
  expect(await stopped).toBe(false);
  expect(called()).toEqual(ended);
});

test.each(['close the server', 'load apps'])(
  'a stop kills the children after 8 s, as when "%s" hangs',
  async (part) => {
    const { lifecycle, clock, called, hold } = someLifecycle();
    hold(part);
    void lifecycle.start();
    await nextTurn();
    const stopped = lifecycle.stop();
    await clock.advance(STOP_CAP_MS - 1);
    expect(called().at(-1)).not.toBe('sweep children');
    await clock.advance(1);
    expect(await stopped).toBe(false);
    expect(called()).toEqual(['sweep children']);
  },
);

test('the robot has 6 s from the begin of a stop to fold, and one that has not folded by then is reported', async () => {
  const { lifecycle, clock, called, logged, hold } = someLifecycle();
  await lifecycle.start();
  await nextTurn();
  called();
  hold('park the robot');
  const stopped = lifecycle.stop();
  await clock.advance(5_999);
  expect(called().at(-1)).toBe('park the robot');
  await clock.advance(1);
  expect(await stopped).toBe(false);
  expect(called()).toEqual(ended.slice(ended.indexOf('close the robot')));
  expect(logged).toContain('warn  robot: not folded in time');
});

test('a kill during a start ends its children and does not wait for it', async () => {
  const { lifecycle, called, hold } = someLifecycle();
  const hasShutDown = hold('load jobs');
  const started = lifecycle.start();
  await nextTurn();
  called();
  await lifecycle.kill();
  expect(called()).toEqual(['sweep children']);
  hasShutDown();
  await started;
});
