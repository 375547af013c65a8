/** The life of a run, over real HTTP, with real Python apps in real processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

const fixtures = ['polite', 'crashes', 'ignores_sigint', 'forks', 'multiprocesses', 'new_session', 'garbage', 'silent'];
let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const name of fixtures)
    expect(await daemon.install(fixtureApp(name))).toMatchObject({ state: 'done', failure: null });
});
afterAll(() => daemon?.[Symbol.asyncDispose]());
afterEach(async () => {
  await daemon.post('/api/apps/stop-current-app?force=true');
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));
});

const start = (name: string, query = '') => daemon.post(`/api/apps/start-app/${name}${query}`);
const restart = () => daemon.post('/api/apps/restart-current-app');
const stop = (query = '') => daemon.post(`/api/apps/stop-current-app${query}`);
const written = (...texts: string[]) =>
  vi.waitFor(async () => expect(await daemon.output()).toEqual(expect.arrayContaining(texts)));
async function lastRun(): Promise<AppRun> {
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));
  const slot = await daemon.slot();
  if (slot.state !== 'free' || !slot.lastRun) throw new Error('no run has ended');
  return slot.lastRun;
}
async function expectAllGone() {
  expect(await daemon.children()).toEqual([]);
  expect(await daemon.robot()).toMatchObject({ state: 'awake', torque: true, atDefault: true });
}

describe('start and stop', () => {
  test('an app starts, moves the robot, stops when asked, and the robot is back at its default position', {
    tags: ['smoke'],
  }, async () => {
    expect(await start('polite')).toMatchObject({ status: 200, body: { state: 'starting' } });
    await written('ready');
    expect(await daemon.slot()).toMatchObject({ state: 'running', sdk: 'connected', holder: { appName: 'polite' } });
    expect(await daemon.robot()).toMatchObject({ atDefault: false });
    expect(await stop()).toMatchObject({
      status: 200,
      body: { state: 'free', lastRun: { appName: 'polite', outcome: 'stopped', exitCode: 0, message: 'Stopped.' } },
    });
    expect(await daemon.output()).toContain('bye');
    await expectAllGone();
  });

  test('two hundred concurrent starts start one app', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => start(index % 2 ? 'polite' : 'silent')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(199);
    expect(await daemon.children()).toHaveLength(1);
  });

  test('concurrent restarts, replacements, starts and stops leave one app or none, and no other process', async () => {
    for (let round = 0; round < 3; round++) {
      await start('silent', '?replace=true');
      const replies = await Promise.all([
        restart(),
        start('silent', '?replace=true'),
        start('polite', '?replace=true'),
        start('polite'),
        restart(),
        ...(round === 1 ? [stop()] : []),
        start('silent', '?replace=true'),
      ]);
      for (const { status } of replies) expect([200, 409]).toContain(status);
      const slot = await daemon.slot();
      expect(await daemon.children()).toHaveLength(slot.state === 'free' ? 0 : 1);
    }
    await daemon.post('/api/apps/stop-current-app?force=true');
    await expectAllGone();
  });

  test('a stop right after the start stops it, at any moment', async () => {
    for (const pauseMs of [0, 15, 60, 250]) {
      await start('polite');
      await sleep(pauseMs);
      expect(await stop()).toMatchObject({ status: 200, body: { state: 'free', lastRun: { outcome: 'stopped' } } });
      await expectAllGone();
    }
  });
});

describe('apps that misbehave', () => {
  test('a crash frees the slot for the next app, says why, and the robot is back at its default position', {
    tags: ['smoke'],
  }, async () => {
    await start('crashes');
    expect(await lastRun()).toMatchObject({
      outcome: 'crashed',
      exitCode: 1,
      version: '1.0.0',
      message: 'It crashed: unhandled RuntimeError: the flux is not compensated. It ended with exit code 1.',
      diagnosis: {
        cause: 'exception',
        ownLine: { file: 'crashes/main.py', code: 'raise RuntimeError("the flux is not compensated")' },
      },
    });
    expect(await daemon.output()).toContain('about to fail');
    await expectAllGone();
    expect(await stop()).toEqual({ status: 409, body: { error: 'No app is running.' } });
    expect((await start('polite')).status).toBe(200);
  });

  test('a forced stop kills an app that ignores SIGINT, and ends the stop before it', { tags: ['smoke'] }, async () => {
    await start('ignores_sigint');
    await written('ready');
    const antenna = async () => (await daemon.call('getRobot')).pose?.joints.antennas[0] ?? Number.NaN;
    const begun = await antenna();
    await vi.waitFor(async () => expect(Math.abs((await antenna()) - begun)).toBeGreaterThan(0.1));
    const graceful = stop();
    await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('stopping'));
    await sleep(200); // the target before the stop is reached
    const stopped = await antenna();
    const { since, until, alive } = await vi.waitFor(async () => {
      const slot = await daemon.slot();
      if (slot.state !== 'stopping' || slot.alive.length === 0) throw new Error('nothing is listed yet');
      return slot;
    });
    expect(Date.parse(until ?? '') - Date.parse(since)).toBeGreaterThan(19_000);
    expect(alive).toEqual([
      { pid: expect.any(Number), command: expect.stringMatching(/^python -u -m ignores_sigint\.main$/) },
    ]);
    await sleep(1_000); // a third of its way back and forth
    expect(Math.abs((await antenna()) - stopped)).toBeLessThan(0.01);
    const reply = await stop('?force=true');
    expect(reply.body.lastRun.endedAt < (until ?? ''), 'before the end of its grace').toBe(true);
    expect(reply.body.lastRun).toMatchObject({
      outcome: 'killed',
      signal: 'SIGKILL',
      message: 'It was force-stopped.',
      killed: alive,
    });
    expect(await graceful).toEqual(reply);
    await expectAllGone();
  });

  test('children that ignore SIGINT are killed with the app', { tags: ['smoke'] }, async () => {
    await start('forks');
    await written('ready', 'child');
    expect((await daemon.children()).length).toBe(3);
    const { body } = await stop();
    expect(body.lastRun).toMatchObject({ outcome: 'stopped' });
    expect(body.lastRun.message).toBe('Stopped. 2 processes that it left running were stopped.');
    expect(body.lastRun.killed).toHaveLength(2);
    for (const { command } of body.lastRun.killed) {
      expect(command).toMatch(/^python -c import signal, time signal\.signal\(/);
      expect(command.length).toBeLessThanOrEqual(120);
    }
    await expectAllGone();
  });

  test('a worker that Python waits for gets SIGINT after two seconds, long before the grace period ends', async () => {
    await start('multiprocesses');
    await written('ready', 'worker');
    const startedMs = performance.now();
    expect((await stop()).body.lastRun).toMatchObject({ outcome: 'stopped', signal: null });
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
    await expectAllGone();
  });

  test('a child in its own session is found and ended', { tags: ['smoke'] }, async () => {
    await start('new_session');
    await written('ready', 'child');
    expect((await stop()).body.lastRun.message).toBe('Stopped. A process that it left running was stopped.');
    await expectAllGone();
  });

  test('bytes that are not text are shown with replacement characters', async () => {
    await start('garbage');
    await written('\ufffd\ufffd\u0000 not text', 'red');
    await stop();
    expect(await daemon.output()).toContain('no line feed \ufffd');
  });

  test('an app that does not connect to the robot still loads, and stops when asked', async () => {
    await start('silent');
    await written('no hello');
    expect(await daemon.slot()).toMatchObject({ state: 'starting', sdk: 'waiting' });
    const loading = { state: 'starting', sdk: 'silent', detail: 'Still loading.' };
    await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject(loading), 15_000); // after ten seconds
    expect((await stop()).body.lastRun).toMatchObject({ outcome: 'stopped', exitCode: 0 });
  });
});
