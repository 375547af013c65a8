/** An app in Python, the daemon, a real serial port and emulated servos, which are unplugged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SimulatedFault } from '../../contract/robot/robot.ts';
import { sampleApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

const TIMEOUT = { timeout: 15_000, interval: 50 };

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ robot: 'emulator', wakeUpOnStart: true });
  await daemon.install(sampleApp('hello_wave'));
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'), TIMEOUT);
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const setFaults = (faults: SimulatedFault[]) => daemon.call('setSimulatedFaults', { body: { faults } });
const antenna = async () => (await daemon.call('getRobot')).pose.joints.antennas[0] as number;
/** The range of an antenna's movement within a second and a half. */
async function swing(): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < 30; look++) {
    seen.push(await antenna());
    await sleep(50);
  }
  return Math.max(...seen) - Math.min(...seen);
}

test('an app that waves pauses while the robot is unplugged, and continues once it is plugged in again', async () => {
  expect(await daemon.robot()).toMatchObject({ backend: 'emulator', torque: true });
  await daemon.post('/api/apps/start-app/hello_wave');
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running' }), TIMEOUT);
  expect(await swing()).toBeGreaterThan(0.2);

  await setFaults([{ kind: 'unplugged' }]);
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('disconnected'), TIMEOUT);
  expect(await daemon.robot()).toMatchObject({ reason: 'The robot is not plugged in.' });
  await sleep(1_000);
  expect(await daemon.slot()).toMatchObject({ state: 'running' });

  await setFaults([]);
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'), TIMEOUT);
  expect(await swing()).toBeGreaterThan(0.2);
  expect(await daemon.post('/api/apps/stop-current-app')).toMatchObject({
    body: { state: 'free', lastRun: { outcome: 'stopped' } },
  });
  expect(await daemon.robot()).toMatchObject({ state: 'awake', atDefault: true });
});
