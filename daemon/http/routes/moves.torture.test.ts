/** The robot's own moves over real HTTP. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { linkAssets, moveFileText } from '../../testing/daemon/move-files.ts';
import { fixtureApp, startTestDaemon, type TestDaemon, testResources } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
let assetsDir: string;
beforeAll(async () => {
  assetsDir = await mkdtemp(join(tmpdir(), 'robot-desktop-assets-'));
  await linkAssets(assetsDir, {
    'yes.json': moveFileText(0.4),
    'long.json': moveFileText(60),
    'waltz.json': moveFileText(60, { kind: 'dance', description: 'Round and round.' }),
    'bad.json': '{',
  });
  daemon = await startTestDaemon({ resources: { ...testResources, assetsDir } });
  await daemon.install(fixtureApp('polite'));
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(assetsDir, { recursive: true });
});
beforeEach(async () => {
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free')); // a program leaves a moment later
  await daemon.call('wakeUpRobot');
});

const play = (name: string, body: object = { initialGotoS: 0 }) => daemon.post(`/api/robot/moves/${name}/play`, body);

test('the moves are listed: emotions, then dances, without files that are no moves', async () => {
  expect(await daemon.call('listMoves')).toEqual([
    { name: 'long', kind: 'emotion', description: 'A test.', durationS: 60 },
    { name: 'yes', kind: 'emotion', description: 'A test.', durationS: 0.4 },
    { name: 'waltz', kind: 'dance', description: 'Round and round.', durationS: 60 },
  ]);
});

test('a move is answered when it begins, says in the state that it plays, and ends by itself', async () => {
  expect(await play('yes')).toMatchObject({ status: 200, body: { motion: 'playing yes', move: 'yes' } });
  await vi.waitFor(async () => expect(await daemon.robot()).toMatchObject({ motion: null, move: null }));
  const { pose } = await daemon.call('getRobot');
  expect(pose.joints.antennas[0]).toBeCloseTo(0.5, 1);
});

test('the motion to the first sample comes before the move, a second by default', async () => {
  await play('yes');
  await vi.waitFor(async () => expect((await daemon.robot()).move).toBeNull());
  const startMs = performance.now();
  await play('yes', {});
  await vi.waitFor(async () => expect((await daemon.robot()).move).toBeNull(), { timeout: 5_000 });
  expect(performance.now() - startMs).toBeGreaterThan(1_300);
});

test('another move takes its place, and a stop ends it', async () => {
  await play('long');
  expect(await play('waltz')).toMatchObject({ body: { move: 'waltz' } });
  expect(await daemon.call('stopRobot')).toMatchObject({ state: 'awake', motion: null, move: null });
});

test('nobody waits for its end, so it yields to every other command', async () => {
  await play('long');
  const { body } = await daemon.post('/api/robot/set-target', { antennas: [0, 0] });
  expect(body).toEqual({ clamped: [] });
  expect((await daemon.robot()).move).toBe('long'); // it goes on with head and body
  await daemon.call('gotoPosture', { body: { bodyYaw: 0.1, durationS: 0.1, ifBusy: 'refuse' } });
  await daemon.call('setRobotTarget', { body: { head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] } });
  await vi.waitFor(async () => expect((await daemon.robot()).move).toBeNull());
});

test('refusals: an unknown move, an invalid body, a sleeping robot, a running app, a program that moves the robot', async () => {
  expect(await play('nowhere')).toEqual({
    status: 404,
    body: { error: 'The robot has no move of the name "nowhere".' },
  });
  expect((await play('bad')).status).toBe(404);
  expect((await play('%2e%2e%2fhardware%2flite')).status).toBe(404);
  expect((await play('x'.repeat(65))).status).toBe(400);
  for (const body of [{ initialGotoS: -1 }, { initialGotoS: 601 }, { initialGotoS: '1' }, { durationS: 1 }]) {
    expect((await play('yes', body)).status).toBe(400);
  }
  await daemon.call('putRobotToSleep');
  const alias = '/api/move/play/recorded-move-dataset/maker/emotions/yes';
  expect(await daemon.post(alias)).toEqual({ status: 503, body: { error: 'The robot is asleep. Wake it first.' } });
  expect(await play('yes')).toEqual({ status: 503, body: { error: 'The robot is asleep. Wake it first.' } });
  await daemon.call('wakeUpRobot');

  await daemon.call('startApp', { params: { appName: 'polite' } });
  expect(await play('yes')).toEqual({
    status: 409,
    body: { error: 'An app is already running: "polite". Stop the current app first.' },
  });
  await daemon.call('stopCurrentApp');
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), { timeout: 10_000 });

  const program = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`);
  await once(program, 'open');
  const say = (message: object) => program.send(JSON.stringify(message));
  say({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'mover.py' });
  say({ type: 'goto_target', id: '1', antennas: [1, -1], durationS: 30 });
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('running'));
  expect(await play('yes')).toMatchObject({ status: 409, body: { error: expect.stringContaining('mover.py') } });
  program.terminate();
});

test('200 samples at full length fit one message of a program', async () => {
  const program = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`);
  await once(program, 'open');
  const say = (message: object) => program.send(JSON.stringify(message));
  say({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'mover.py' });
  const third = 1 / 3 / 1e5;
  const timesS = Array.from({ length: 200 }, (_, index) => (index * 2) / 199 / 3);
  say({
    type: 'move_samples',
    move: 'wave',
    timesS,
    heads: timesS.map(() => [1, -third, third, third, third, 1, -third, third, -third, third, 1, third, 0, 0, 0, 1]),
    antennas: timesS.map((timeS) => [-timeS, timeS]),
    bodyYaws: timesS.map((timeS) => -timeS / 3),
  });
  say({ type: 'play_move', id: '1', move: 'wave', initialGotoS: 0.1 });
  const done = await new Promise((resolve, reject) => {
    program.on('close', () => reject(new Error('The connection was closed.')));
    program.on('message', (data: Buffer) => {
      const reply = JSON.parse(data.toString());
      if ('id' in reply) resolve(reply);
    });
  });
  expect(done).toEqual({ type: 'done', id: '1', outcome: 'done', clamped: [] });
  program.removeAllListeners('close').terminate();
});
