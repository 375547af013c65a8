/** A simulated robot over real HTTP: commands, refusals and events. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Motor } from '../../contract/robot/robot.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.install(fixtureApp('polite'));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const command = (what: string, body?: object) => daemon.post(`/api/robot/${what}`, body);
const head = (zM: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, zM, 0, 0, 0, 1];

test('a sleeping robot is woken, moved, stopped and put to sleep; each command is answered when it is done', {
  tags: ['smoke'],
}, async () => {
  expect(await command('set-target', { antennas: [0, 0] })).toEqual({
    status: 503,
    body: { error: 'The robot is asleep. Wake it first.' },
  });
  expect(await command('wake-up')).toMatchObject({
    status: 200,
    body: { outcome: 'done', robot: { state: 'awake', torque: true, atDefault: true } },
  });
  expect(await command('goto', { head: head(0.01), antennas: [0.5, -0.5], durationS: 0.3 })).toMatchObject({
    status: 200,
    body: { outcome: 'done', clamped: [] },
  });
  expect(await command('set-target', { bodyYaw: 3 })).toMatchObject({
    body: { clamped: [{ part: 'bodyYaw', wantedRad: 3, why: expect.stringContaining('instead of 172°') }] },
  });
  const moving = command('goto', { antennas: [0, 0], durationS: 20 });
  await vi.waitFor(async () => expect((await daemon.robot()).motion).toBe('moving'));
  expect(await command('goto', { antennas: [0, 0], durationS: 1, ifBusy: 'refuse' })).toMatchObject({ status: 409 });
  expect(await command('stop')).toMatchObject({ status: 200, body: { state: 'awake', motion: null } });
  expect(await moving).toMatchObject({ body: { outcome: 'stopped' } });
  expect(await command('sleep')).toMatchObject({
    body: { outcome: 'done', robot: { state: 'asleep', torque: false } },
  });
});

test('an unreachable pose is 422, an invalid body is 400, and both say why', async () => {
  await command('wake-up');
  expect(await command('goto', { head: head(0.2), durationS: 1 })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('too short') },
  });
  for (const body of [
    { durationS: 0 },
    { durationS: 601 },
    { antennas: [1], durationS: 1 },
    { head: [1, 2], durationS: 1 },
    { antennas: ['a', 'b'], durationS: 1 },
    { antennas: [0, 0], durationS: 1, method: 'teleport' },
    { antenas: [0, 0], durationS: 1 },
  ]) {
    expect(await command('goto', body)).toMatchObject({ status: 400, body: { issues: expect.any(Array) } });
  }
  expect((await command('motors/torque', { on: true, motors: ['left_arm'] })).status).toBe(400);
});

test('a part that a goto owns is dropped from a target, and the parts that it loses are in its report', async () => {
  await command('wake-up');
  const moving = command('goto', { head: head(0.01), antennas: [0.5, -0.5], bodyYaw: 0, durationS: 2 });
  await vi.waitFor(async () => expect((await daemon.robot()).motion).toBe('moving'));
  const dropped = (part: string, name: string) => ({
    part,
    why: `Targets for the ${name} are dropped until the robot has finished moving.`,
  });
  expect(await command('set-target', { antennas: [0, 0], bodyYaw: 0.2 })).toEqual({
    status: 200,
    body: { clamped: [], dropped: [dropped('antennas', 'antennas'), dropped('bodyYaw', 'body')] },
  });
  const other = { antennas: [0, 0], durationS: 0.2 };
  expect(await command('goto', { ...other, ifBusy: 'refuse' })).toMatchObject({ status: 409 });
  const { body } = await command('goto', other);
  expect([body.outcome, 'lost' in body]).toEqual(['done', false]);
  expect(await command('set-target', { antennas: [0.1, 0.1] })).toEqual({ status: 200, body: { clamped: [] } });
  expect(await moving).toMatchObject({ body: { outcome: 'done', lost: ['antennas'] } });
});

test('a goto whose caller has gone goes on, and yields its parts to targets', async () => {
  await command('wake-up');
  const caller = new AbortController();
  const gone = fetch(`${daemon.url}/api/robot/goto`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ antennas: [1, -1], bodyYaw: 0.3, durationS: 600 }),
    signal: caller.signal,
  }).catch(() => {});
  await vi.waitFor(async () => expect((await daemon.robot()).motion).toBe('moving'));
  expect((await command('set-target', { antennas: [0, 0] })).body.dropped).toHaveLength(1);
  caller.abort();
  await gone;
  await vi.waitFor(async () =>
    expect(await command('set-target', { antennas: [0, 0] })).toEqual({ status: 200, body: { clamped: [] } }),
  );
  expect((await daemon.robot()).motion).toBe('moving');
  expect(await command('stop')).toMatchObject({ body: { motion: null } });
});

test('the motors report their state, and are switched one by one', async () => {
  await command('wake-up');
  const motors: Motor[] = (await daemon.get('/api/robot/motors')).body;
  expect(motors.map(({ name, id }) => `${id} ${name}`)).toEqual([
    '10 body_rotation',
    ...[1, 2, 3, 4, 5, 6].map((leg) => `${10 + leg} stewart_${leg}`),
    '17 right_antenna',
    '18 left_antenna',
  ]);
  for (const motor of motors) {
    expect(motor).toMatchObject({ answers: true, torque: true, mode: 'position', faults: [] });
    expect(motor.voltageV).toBeGreaterThan(4);
    expect(motor.temperatureC).toBeGreaterThan(20);
  }
  const off = await command('motors/torque', { on: false, motors: ['left_antenna'] });
  expect(off.body.filter(({ torque }: Motor) => !torque)).toMatchObject([{ name: 'left_antenna' }]);
  expect(await command('motors/torque', { on: true })).toMatchObject({ status: 200 });
  expect((await daemon.robot()).torque).toBe(true);
});

test('while an app runs, others cannot move the robot, but can stop it', async () => {
  await command('wake-up');
  await daemon.post('/api/apps/start-app/polite');
  const refused = { status: 409, body: { error: expect.stringContaining('"polite"') } };
  expect(await command('goto', { antennas: [0, 0], durationS: 1 })).toMatchObject(refused);
  expect(await command('set-target', { antennas: [0, 0] })).toMatchObject(refused);
  expect(await command('sleep')).toMatchObject(refused);
  expect(await command('motors/torque', { on: false })).toMatchObject(refused);
  expect(await command('stop')).toMatchObject({ status: 200 });
  await daemon.post('/api/apps/stop-current-app?force=true');
});

test('a simulated fault is shown with an action, and the robot recovers afterwards', async () => {
  await command('wake-up');
  expect((await daemon.put('/api/robot/simulation/faults', { faults: [{ kind: 'unplugged' }] })).status).toBe(200);
  expect(await daemon.robot()).toMatchObject({ state: 'disconnected', reason: expect.any(String) });
  expect((await daemon.post('/api/move/play/goto_sleep')).status).toBe(503);
  expect(await command('wake-up')).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('unplugged') },
  });
  await daemon.put('/api/robot/simulation/faults', { faults: [] });
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
  expect((await daemon.put('/api/robot/simulation/faults', { faults: [{ kind: 'flood' }] })).status).toBe(400);
});

test('without a robot the daemon still serves, and says what to do; a start is refused at once', async () => {
  await using lite = await startTestDaemon({ robot: 'lite', serialPort: '/dev/no-such-port' });
  await vi.waitFor(async () =>
    expect(await lite.robot()).toMatchObject({
      state: 'disconnected',
      backend: 'lite',
      reason: 'The robot is not plugged in.',
      action: "Connect the robot's USB cable to this computer.",
    }),
  );
  const refused = { error: "The robot is not plugged in. Connect the robot's USB cable to this computer." };
  for (const path of ['/api/robot/wake-up', ...['/api/move/play/wake_up', '/api/motors/set_mode/enabled']]) {
    expect(await lite.post(path)).toEqual({ status: 503, body: refused });
  }
  expect(await lite.post('/api/robot/simulation/touch')).toMatchObject({ status: 409 });
  await lite.install(fixtureApp('polite'));
  expect(await lite.post('/api/apps/start-app/polite')).toEqual({ status: 503, body: refused });
  expect(await lite.slot()).toMatchObject({ state: 'free' });
});
