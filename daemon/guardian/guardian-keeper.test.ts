import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { GuardianKeeper, RESTART_PAUSES_MS } from './guardian-keeper.ts';
import type { GuardianProcess } from './guardian-process.ts';

class FakeGuardian implements GuardianProcess {
  readonly pid = 77;
  readonly #exited = Promise.withResolvers<string>();
  readonly exited = this.#exited.promise;
  wasNotified = false;
  wasKilled = false;
  readonly #isDeaf: boolean;
  constructor(isDeaf: boolean) {
    this.#isDeaf = isDeaf;
  }
  end = (how = 'SIGKILL') => this.#exited.resolve(how);
  endedInOrder(): void {
    this.wasNotified = true;
    if (!this.#isDeaf) this.end('exit code 0');
  }
  kill(): void {
    this.wasKilled = true;
    this.end();
  }
}

function someKeeper({ isDeaf = false, start }: { isDeaf?: boolean; start?: () => Promise<null> } = {}) {
  const clock = manualClock();
  const started: FakeGuardian[] = [];
  const logged: string[] = [];
  const keeper = new GuardianKeeper({
    start:
      start ??
      (async () => {
        started.push(new FakeGuardian(isDeaf));
        return started.at(-1) as FakeGuardian;
      }),
    clock,
    log: createLogger('info', (line) => logged.push(line.slice(13).split('\n')[0] ?? '')),
  });
  void keeper.start();
  const lastEnds = async () => {
    started.at(-1)?.end();
    await clock.advance(0);
  };
  return { keeper, clock, started, logged, lastEnds };
}

test('a guardian that ends alone is started again, later each time, until it is given up', async () => {
  const { clock, started, logged, lastEnds } = someKeeper();
  await clock.advance(0);
  for (const [index, pauseMs] of RESTART_PAUSES_MS.entries()) {
    await lastEnds();
    await clock.advance(pauseMs - 1);
    expect(started).toHaveLength(index + 1);
    await clock.advance(1);
    expect(started).toHaveLength(index + 2);
  }
  expect(logged[0]).toBe('warn  guardian: it ended alone (SIGKILL), and is started again in 1 s');
  await lastEnds();
  expect(clock.pending).toBe(0);
  expect(logged.at(-1)).toBe(
    'error guardian: it ended again (SIGKILL): the robot stays as it is, and models go on, if this program is killed',
  );
});

test('one that lived long counts as the first', async () => {
  const { clock, logged, lastEnds } = someKeeper();
  await clock.advance(0);
  for (let count = 0; count < 2 * RESTART_PAUSES_MS.length; count++) {
    await clock.advance(10 * 60_000);
    await lastEnds();
    await clock.advance(1_000);
  }
  expect(new Set(logged)).toEqual(new Set(['warn  guardian: it ended alone (SIGKILL), and is started again in 1 s']));
});

test('after an end in order it gets the notice and is not started again', async () => {
  const { keeper, clock, started, logged } = someKeeper();
  await keeper.endedInOrder();
  await clock.advance(60_000);
  expect(started.map(({ wasNotified, wasKilled }) => [wasNotified, wasKilled])).toEqual([[true, false]]);
  expect([clock.pending, logged]).toEqual([0, []]);
});

test('one that does not end then is killed', async () => {
  const { keeper, clock, started } = someKeeper({ isDeaf: true });
  const ended = keeper.endedInOrder();
  await clock.advance(2_000);
  await ended;
  expect(started[0]?.wasKilled).toBe(true);
});

test('an end in order cancels a restart', async () => {
  const { keeper, clock, started, lastEnds } = someKeeper();
  await clock.advance(0);
  await lastEnds();
  await keeper.endedInOrder();
  await clock.advance(60_000);
  expect(started).toHaveLength(1);
});

test('an installation without a guardian says so once', async () => {
  const { keeper, clock, logged } = someKeeper({ start: async () => null });
  await clock.advance(60_000);
  await keeper.endedInOrder();
  expect(logged).toEqual([
    'warn  guardian: this installation has none: the robot stays as it is, and models go on, if this program is killed',
  ]);
});

test('a guardian that cannot be started is logged, and nothing else fails', async () => {
  const { keeper, clock, logged } = someKeeper({ start: () => Promise.reject(new Error('EMFILE')) });
  await clock.advance(0);
  await keeper.endedInOrder();
  expect(logged).toEqual(['error guardian: it could not be started: Error: EMFILE']);
});

test('a second start changes nothing, also after the guardian was given up', async () => {
  const { keeper, clock, started, lastEnds } = someKeeper();
  void keeper.start();
  await clock.advance(0);
  expect(started).toHaveLength(1);
  for (const pauseMs of RESTART_PAUSES_MS) {
    await lastEnds();
    await clock.advance(pauseMs);
  }
  await lastEnds();
  void keeper.start();
  await clock.advance(0);
  expect(started).toHaveLength(1 + RESTART_PAUSES_MS.length);
});

test('its caller waits until it is started, also at a second call, and not for ever where there is none', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { keeper, clock, logged } = someKeeper({ start: () => promise });
  let isStarted = false;
  const started = keeper.start().then(() => {
    isStarted = true;
  });
  await clock.advance(0);
  expect(isStarted).toBe(false);
  resolve(null);
  await started;
  expect(logged).toHaveLength(1);
});
