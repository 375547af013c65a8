import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '../daemon/testing/manual-clock.ts';
import { ProgramEnd } from './program-end.ts';
import { FakeHost } from './testing/fake-host.ts';

const never = () => new Promise<never>(() => {});

/** An end of a program whose daemon stops at once, unless given otherwise. */
function someEnd({ stop = async () => true, kill = async () => {} } = {}) {
  const clock = manualClock();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const { app } = new FakeHost();
  let hasDied = false;
  const end = new ProgramEnd({
    host: { app },
    daemon: { stop, kill },
    die: () => {
      hasDied = true;
    },
    clock,
  });
  let exitCode: number | null = null;
  void app.exited.then((code) => {
    exitCode = code;
  });
  return {
    app,
    end,
    logged,
    after: clock.advance,
    exitCode: () => exitCode,
    hasDied: () => hasDied,
  };
}

test('a daemon whose stop never settles keeps the program open for 10 s', async () => {
  const { end, after, exitCode, logged } = someEnd({ stop: never });
  void end.begin();
  await after(9_999);
  expect(exitCode()).toBeNull();
  await after(1);
  expect(exitCode()).toBe(1);
  expect(logged).toHaveBeenCalledWith('The daemon has not ended within 10 s. Exiting without it.');
});

test('an exit that does not come within 5 s is forced', async () => {
  const { end, after, exitCode, hasDied } = someEnd();
  void end.begin();
  await after(4_999);
  expect([exitCode(), hasDied()]).toEqual([0, false]);
  await after(1);
  expect(hasDied()).toBe(true);
});

test('a kill of the child processes that never settles keeps the program open for 3 s', async () => {
  const { end, after, exitCode } = someEnd({ stop: never, kill: never });
  void end.begin();
  void end.now();
  await after(3_000);
  expect(exitCode()).toBe(1);
});

test('a message is shown once the daemon has ended, and the program waits until it is closed', async () => {
  const stopped = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const { end, after, exitCode } = someEnd({ stop: () => stopped.promise });
  let isShown = false;
  void end.begin(1, () => {
    isShown = true;
    return closed.promise;
  });
  await after(0);
  expect(isShown).toBe(false);
  stopped.resolve(true);
  await after(60_000);
  expect([isShown, exitCode()]).toEqual([true, null]);
  closed.resolve();
  await after(0);
  expect(exitCode()).toBe(1);
});

test('a quit while a message is open ends the program', async () => {
  const { end, after, exitCode } = someEnd();
  void end.begin(1, never);
  await after(60_000);
  expect(exitCode()).toBeNull();
  void end.begin();
  await after(0);
  expect(exitCode()).toBe(1);
});

test('an end by force does not start the program again', async () => {
  const { app, end, after, exitCode } = someEnd({ stop: never });
  end.opensAgain = true;
  void end.begin();
  void end.now();
  await after(0);
  expect([exitCode(), app.relaunched]).toEqual([1, false]);
});
