import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { scriptedEngine } from '../testing/containers/scripted-engine.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { LeftoverContainers } from './leftover-containers.ts';

const SOCKET = '/run/podman/podman.sock';

function setup({ left = [SOCKET] } = {}) {
  const logged: string[] = [];
  const asked: string[] = [];
  const clock = manualClock();
  const engine = scriptedEngine();
  const state = { left, isThere: true, failure: null as Error | null };
  const leftovers = new LeftoverContainers({
    finder: {
      engineAt: async (place) => {
        asked.push(place);
        return state.isThere ? engine : null;
      },
    },
    register: { leftovers: async () => state.left },
    clock,
    log: createLogger('info', (line) => logged.push(line.slice(13).trim())),
  });
  engine.removeOrphans = async () => {
    if (state.failure) throw state.failure;
    state.left = [];
    return 2;
  };
  return { leftovers, clock, state, asked, logged };
}

test('a daemon that has left nothing asks no engine', async () => {
  const { leftovers, clock, asked, logged } = setup({ left: [] });
  leftovers.start();
  await clock.advance(60_000);
  expect([asked, logged]).toEqual([[], []]);
});

test('containers of an earlier daemon are removed once their engine answers', async () => {
  const { leftovers, clock, state, asked, logged } = setup();
  state.isThere = false;
  leftovers.start();
  await clock.advance(0);
  expect([asked, logged]).toEqual([[SOCKET], []]);
  state.isThere = true;
  await clock.advance(3_000);
  expect(logged).toEqual(['warn  containers: removed 2 that nobody used any more']);
  await clock.advance(60_000);
  expect(asked).toEqual([SOCKET, SOCKET]);
});

test('a failure is logged once, and tried again until the daemon closes', async () => {
  const { leftovers, clock, state, asked, logged } = setup();
  state.failure = new Error('Podman 4.3.1 does not answer.');
  leftovers.start();
  await clock.advance(3_000 + 6_000);
  expect(asked).toHaveLength(3);
  expect(logged).toEqual([
    'warn  containers: Podman 4.3.1 does not answer. Containers of an earlier daemon may still run.',
  ]);
  await leftovers.close();
  await clock.advance(60_000);
  expect(asked).toHaveLength(3);
});

test('an engine that goes on failing is asked once a minute in the end, and again within 3 s once it has removed all', async () => {
  const { leftovers, clock, state, asked } = setup();
  state.failure = new Error('it is in use');
  leftovers.start();
  await clock.advance(60 * 60_000);
  const inFirstHour = asked.length;
  await clock.advance(60 * 60_000);
  expect(asked.length - inFirstHour).toBe(60);
  state.failure = null;
  await clock.advance(60_000);
  expect(state.left).toEqual([]);
  state.left = [SOCKET]; // another one could not be removed
  await clock.advance(3_000);
  expect(state.left).toEqual([]);
});
