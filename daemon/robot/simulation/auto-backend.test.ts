import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import type { Connection, RobotBackend } from '../robot-backend.ts';
import { AutoBackend } from './auto-backend.ts';
import { SimulationBackend } from './simulation-backend.ts';

const POLL_MS = 1_000;

async function autoBackend({ pluggedIn = false, maySwitch = true } = {}) {
  const clock = movableClock();
  const world = { pluggedIn, maySwitch, closed: [] as string[], searches: 0 };
  const simulation = new SimulationBackend();
  simulation.close = async () => void world.closed.push('simulation');
  const createLite = (): RobotBackend => {
    const lite: RobotBackend = new SimulationBackend();
    return Object.defineProperty(lite, 'kind', { value: 'lite' });
  };
  const backend = new AutoBackend({
    simulation,
    createLite,
    isPluggedIn: async () => {
      world.searches += 1;
      return world.pluggedIn;
    },
    maySwitch: () => world.maySwitch,
    help: { action: 'Plug it in.', command: 'rule' },
    pollEveryMs: POLL_MS,
    clock,
    log: createLogger('error', () => {}),
  });
  const connections: Connection[] = [];
  backend.open((connection) => connections.push(connection));
  await vi.waitFor(() => expect(connections).toHaveLength(1));
  onTestFinished(() => backend.close());
  return { backend, world, connections, pass: clock.pass };
}

test('with the real robot plugged in at the start, the simulated one never connects', async () => {
  const { backend, connections } = await autoBackend({ pluggedIn: true });
  expect(backend.kind).toBe('lite');
  expect(connections).toHaveLength(1);
});

test('the robot is simulated until the real one is plugged in; unplugged again it stays the real one', async () => {
  const { backend, world, connections, pass } = await autoBackend();
  expect(backend.kind).toBe('simulation');
  expect(backend.standIn).toEqual({ why: 'no-robot', action: 'Plug it in.', command: 'rule' });
  world.pluggedIn = true;
  await pass(POLL_MS);
  expect(backend.kind).toBe('lite');
  expect(backend.standIn).toBeNull();
  expect(world.closed).toEqual(['simulation']);
  expect(connections).toHaveLength(2);
  world.pluggedIn = false;
  await pass(10 * POLL_MS);
  expect(backend.kind).toBe('lite');
});

test('an app on the simulated robot is not disturbed', async () => {
  const { backend, world, pass } = await autoBackend({ maySwitch: false });
  world.pluggedIn = true;
  await pass(POLL_MS);
  expect(backend.standIn?.why).toBe('robot-waiting');
  const { searches } = world;
  await pass(6 * POLL_MS);
  expect(world.searches).toBeGreaterThan(searches + 5);
  expect(backend.kind).toBe('simulation');
  world.pluggedIn = false;
  await pass(POLL_MS);
  expect(backend.standIn?.why).toBe('no-robot');
  world.pluggedIn = true;
  world.maySwitch = true;
  await pass(POLL_MS);
  expect(backend.kind).toBe('lite');
});
