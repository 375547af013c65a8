/** The life of a run, over real HTTP, with real Python apps in real processes. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

const fixtures = [
  'polite',
  'crashes',
  'ignores_sigint',
  'forks',
  'multiprocesses',
  'new_session',
  'floods',
  'garbage',
  'silent',
];
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
const runIdOf = (slot: AppSlotState) =>
  slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.runId : null;
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

  test('a start is refused while an app runs, and the running app stays', async () => {
    await start('polite');
    await written('ready');
    const before = await daemon.slot();
    const refusal = { error: 'An app is already running: "polite". Stop the current app first.' };
    expect(await start('crashes')).toEqual({ status: 409, body: refusal });
    expect(await start('polite')).toEqual({ status: 409, body: refusal });
    expect(await daemon.slot()).toEqual(before);
  });

  test('two hundred concurrent starts start one app', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => start(index % 2 ? 'polite' : 'silent')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(199);
    expect(await daemon.children()).toHaveLength(1);
  });

  test('a restart stops the running app and starts it again, unless a stop arrives meanwhile', async () => {
    await start('polite');
    await written('ready');
    const before = await daemon.slot();
    expect(await restart()).toMatchObject({ status: 200, body: { state: 'starting', holder: { appName: 'polite' } } });
    await written('ready');
    const after = await daemon.slot();
    expect(runIdOf(after)).not.toBe(runIdOf(before));
    const restarted = restart();
    await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('stopping'), { interval: 1 });
    expect(await stop()).toMatchObject({ status: 200, body: { state: 'free', lastRun: { runId: runIdOf(after) } } });
    expect(await restarted).toEqual({ status: 409, body: { error: 'The start of "polite" was cancelled.' } });
    expect(await restart()).toEqual({ status: 409, body: { error: 'No app is running.' } });
    await expectAllGone();
  });

  test('an app replaces the running one only on request', async () => {
    await start('polite');
    await written('ready');
    expect((await start('nobody', '?replace=true')).status).toBe(404);
    expect((await start('silent', '?replace=maybe')).status).toBe(400);
    expect(await daemon.slot()).toMatchObject({ state: 'running', holder: { appName: 'polite' } });
    expect(await start('silent', '?replace=true')).toMatchObject({
      status: 200,
      body: { holder: { appName: 'silent' } },
    });
    await written('no hello');
    expect(await daemon.robot()).toMatchObject({ atDefault: true });
    expect((await daemon.get('/api/apps/runs?limit=1')).body).toMatchObject([
      { appName: 'polite', outcome: 'stopped' },
    ]);
    expect(await daemon.children()).toHaveLength(1);
    await stop();
    expect(await start('polite', '?replace=true')).toMatchObject({
      status: 200,
      body: { holder: { appName: 'polite' } },
    });
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

  test('an unknown app, no running app and an invalid name are refused', async () => {
    expect(await start('nobody')).toEqual({
      status: 404,
      body: { error: 'There is no installed app "nobody". Install it first.' },
    });
    expect(await stop()).toEqual({ status: 409, body: { error: 'No app is running.' } });
    expect((await start('..%2f..')).status).toBe(400);
    expect((await start('%E0%A4%A')).body).toMatchObject({ error: 'The path cannot be decoded.', issues: [{}] });
  });

  test('concurrent stops are one stop, and each is answered once the slot is free', async () => {
    await start('polite');
    await written('ready');
    const replies = await Promise.all([stop(), stop(), stop()]);
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { state: 'free' } });
  });

  test('a stop right after the start stops it, at any moment', async () => {
    for (const pauseMs of [0, 15, 60, 250]) {
      await start('polite');
      await sleep(pauseMs);
      expect(await stop()).toMatchObject({ status: 200, body: { state: 'free', lastRun: { outcome: 'stopped' } } });
      await expectAllGone();
    }
  });

  test('a stop after the app has ended says so, and the next start works', async () => {
    await start('crashes');
    await lastRun();
    expect((await stop()).status).toBe(409);
    expect((await start('polite')).status).toBe(200);
  });
});

describe('apps that misbehave', () => {
  test('a crash frees the slot, says why, and the robot is back at its default position', {
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
  });

  test('a forced stop kills an app that ignores SIGINT', { tags: ['smoke'] }, async () => {
    await start('ignores_sigint');
    await written('ready');
    const graceful = stop();
    await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('stopping'));
    const { since, until, alive } = await vi.waitFor(async () => {
      const slot = await daemon.slot();
      if (slot.state !== 'stopping' || slot.alive.length === 0) throw new Error('nothing is listed yet');
      return slot;
    });
    expect(Date.parse(until ?? '') - Date.parse(since)).toBeGreaterThan(19_000);
    expect(alive).toEqual([
      { pid: expect.any(Number), command: expect.stringMatching(/^python -u -m ignores_sigint\.main$/) },
    ]);
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

  test('a flood and a line of 100 MB are bounded, and the daemon still answers', async () => {
    await start('floods');
    await vi.waitFor(async () => expect(await daemon.output()).toContain('flooded'), {
      timeout: 55_000,
      interval: 100,
    });
    const page = await daemon.outputPage();
    expect(page.last).toBe(500_002);
    expect(page.last - page.firstKept).toBeLessThan(5_000);
    expect(page.lines.at(-2)).toMatchObject({ truncated: true });
    expect(page.lines.at(-2)?.text).toHaveLength(8 * 1024);
    const { runId } = (await stop()).body.lastRun;
    const kept = (await daemon.get(`/api/apps/runs/${runId}/output`)).body;
    expect([kept.last, kept.lines.length]).toEqual([500_002, 500]);
    const segments = await readdir(join(daemon.dataDir, 'runs', runId));
    const sizes = await Promise.all(
      segments.map(async (name) => (await stat(join(daemon.dataDir, 'runs', runId, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  test('bytes that are not text are shown with replacement characters', async () => {
    await start('garbage');
    await written('\ufffd\ufffd\u0000 not text', 'red');
    await stop();
    expect(await daemon.output()).toContain('no line feed \ufffd');
  });

  test('an app that never says hello runs, and is reported as silent after ten seconds', async () => {
    await start('silent');
    await written('no hello');
    expect(await daemon.slot()).toMatchObject({ state: 'starting', sdk: 'waiting' });
    await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running', sdk: 'silent' }), {
      timeout: 12_000,
      interval: 200,
    });
    expect((await stop()).body.lastRun).toMatchObject({ outcome: 'stopped', exitCode: 0 });
  });
});
