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
  const host = new FakeHost();
  const { app } = host;
  let hasDied = false;
  const end = new ProgramEnd({
    host,
    daemon: { stop, kill },
    die: () => {
      hasDied = true;
    },
    clock,
    argsAgain: [],
  });
  let exitCode: number | null = null;
  void app.exited.then((code) => {
    exitCode = code;
  });
  return {
    host,
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
  const { host, end, after, exitCode } = someEnd({ stop: never });
  end.opensAgain = true;
  void end.begin();
  void end.now();
  await after(0);
  expect([exitCode(), host.relaunched]).toEqual([1, null]);
});

/** Replaces the program. @returns what is said, and whether the updater was let quit it meanwhile */
function replacing(end: ProgramEnd, install: () => Promise<never>) {
  const said: string[] = [];
  const seen = { isReplacing: false, installs: 0 };
  void end.replace(
    () => {
      seen.isReplacing = end.isReplacing;
      seen.installs += 1;
      return install();
    },
    async (reason) => void said.push(reason),
  );
  return { said, seen };
}

test('an update is installed once the robot is folded; nothing prevents the updater from quitting then', async () => {
  const stopped = Promise.withResolvers<boolean>();
  const { end, after, exitCode } = someEnd({ stop: () => stopped.promise });
  const { said, seen } = replacing(end, never);
  await after(0);
  expect([seen.installs, end.isUnderWay]).toEqual([0, true]);
  stopped.resolve(true);
  await after(59_999);
  expect(seen).toEqual({ isReplacing: true, installs: 1 });
  expect([said, exitCode()]).toEqual([[], null]);
});

test('an update that cannot be installed is told, and the program exits as it is', async () => {
  const { host, end, after, exitCode } = someEnd();
  const { said } = replacing(end, () => Promise.reject(new Error('This user may not write there.')));
  await after(0);
  expect([said, exitCode(), end.isReplacing]).toEqual([['This user may not write there.'], 1, false]);
  expect(host.relaunched).toBeNull();
});

test('an update whose installer hangs is given up after a minute', async () => {
  const { end, after, exitCode } = someEnd();
  const { said } = replacing(end, never);
  await after(60_000);
  expect([said, exitCode()]).toEqual([['It was not in place within 60 s.'], 1]);
});

test.each([
  ['did not end in order', async () => false],
  ['hangs', never],
])('while the daemon %s, nothing is installed', async (_what, stop) => {
  const { end, after, exitCode } = someEnd({ stop });
  const { said, seen } = replacing(end, never);
  await after(10_000);
  expect([said, exitCode(), seen.installs]).toEqual([['The robot was not folded in time.'], 1, 0]);
});
