/** The real guardian beside the real daemon, whose process is killed; the robot has emulated servos, which outlive it. */
import { readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { install } from '../../daemon/client/node/install.ts';
import { UnexpectedEnd } from '../../daemon/guardian/unexpected-end.ts';
import { lockDataFolder } from '../../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../../daemon/shared/files/data-paths.ts';
import { startDaemonProcess } from '../../daemon/testing/daemon/daemon-process.ts';
import { fixtureApp, NO_HUB, newDataDir, robotDaemonProgram } from '../../daemon/testing/daemon/test-daemon.ts';
import { type EmulatedRobot, startEmulatedRobot } from '../../daemon/testing/emulated-robot.ts';
import { type GuardedDaemon, startGuardedDaemon } from '../testing/guarded-daemon.ts';

const FOLDED = { holding: 0, isFolded: true };
const NO_APP = { at: expect.any(String) as string, appName: null, processesGone: true };

async function someDataDir(): Promise<string> {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function someRobot(): Promise<EmulatedRobot> {
  const robot = await startEmulatedRobot();
  onTestFinished(() => robot[Symbol.asyncDispose]());
  return robot;
}

/** A daemon on a robot that it has woken up. */
async function onRobot(robot: EmulatedRobot, dataDir: string): Promise<GuardedDaemon> {
  const daemon = await startGuardedDaemon(dataDir, ['--serial-port', robot.port]);
  onTestFinished(() => daemon[Symbol.asyncDispose]());
  await vi.waitFor(() => expect(daemon.said()).toContain('robot: awake'));
  return daemon;
}

const recordIn = async (dataDir: string): Promise<UnexpectedEnd | null> => {
  const text = await readFile(dataPaths(dataDir).unexpectedEndFile, 'utf8').catch(() => null);
  return text === null ? null : UnexpectedEnd.parse(JSON.parse(text));
};

async function isFree(dataDir: string): Promise<void> {
  (await lockDataFolder(dataPaths(dataDir))).release();
}

describe.skipIf(process.platform === 'win32')('a guardian', () => {
  test('ends the app and folds the robot of a killed daemon, and the next daemon tells it once', {
    tags: ['smoke'],
  }, async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    expect(await install(daemon, fixtureApp('polite'))).toMatchObject({ state: 'done' });
    await daemon.call('startApp', { params: { appName: 'polite' } });
    await vi.waitFor(async () => expect(await daemon.call('getAppSlot')).toMatchObject({ sdk: 'connected' }));
    process.kill(daemon.pid, 'SIGKILL');
    await daemon.guardiansGone();
    expect(await robot.look()).toEqual(FOLDED);
    expect(await daemon.children()).toEqual([]);
    expect(await recordIn(dataDir)).toEqual({ ...NO_APP, appName: 'polite', robot: { state: 'folded' } });
    await isFree(dataDir);

    const nextStart = async () => {
      const next = await startDaemonProcess(dataDir, ['--no-wake-up-on-start']);
      const { unexpectedEnd } = await daemonAt(next.url).call('getDaemonStatus');
      await vi.waitFor(() => expect(next.said()).toMatch(/listening at/));
      const isLogged = next.said().includes('The app polite was ended. The robot was folded.');
      // A daemon that is killed before it has removed the record leaves it to the next one.
      await vi.waitFor(async () => expect(await recordIn(dataDir)).toBeNull());
      await next.kill();
      return { unexpectedEnd, isLogged };
    };
    expect(await nextStart()).toMatchObject({
      unexpectedEnd: {
        done: 'The app polite was ended. The robot was folded.',
        action: 'Start polite again if you need it.',
      },
      isLogged: true,
    });
    expect(await nextStart()).toEqual({ unexpectedEnd: undefined, isLogged: false });
  });

  test('does nothing when the daemon ends in order, also when a session ends and signals everybody', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    for (const pid of [-daemon.pid, ...daemon.guardians()]) process.kill(pid, 'SIGTERM');
    expect(await daemon.exited).toEqual([0, null]);
    await daemon.guardiansGone();
    expect(daemon.said()).not.toContain('did not end in order');
    expect(await robot.look()).toEqual(FOLDED);
    expect(await recordIn(dataDir)).toBeNull();
    await isFree(dataDir);
  });

  test('folds the robot when a second signal ends the daemon at once', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    process.kill(daemon.pid, 'SIGINT');
    await vi.waitFor(() => expect(daemon.said()).toContain('going to sleep'));
    process.kill(daemon.pid, 'SIGINT');
    expect(await daemon.exited).toEqual([1, null]);
    await daemon.guardiansGone();
    expect(await robot.look()).toEqual(FOLDED);
    expect(await recordIn(dataDir)).toEqual({ ...NO_APP, robot: { state: 'folded' } });
  });

  test('that dies alone is replaced, and signals do not stop the one that folds the robot', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    const [first] = daemon.guardians();
    process.kill(first as number, 'SIGKILL');
    await vi.waitFor(() => expect(daemon.said().match(/guardian: ready/g)).toHaveLength(2));
    expect(daemon.said()).toContain('guardian: it ended alone (SIGKILL), and is started again in 1 s');
    const guardian = daemon.guardians()[1] as number;
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.kill(guardian, signal);
    process.kill(daemon.pid, 'SIGKILL');
    await vi.waitFor(() => expect(daemon.said()).toContain('guardian: the daemon did not end in order'));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(guardian, signal);
    await daemon.guardiansGone();
    expect(daemon.guardians()).toHaveLength(2);
    expect(await robot.look()).toEqual(FOLDED);
    expect(await recordIn(dataDir)).toEqual({ ...NO_APP, robot: { state: 'folded' } });
  });

  test('leaves the robot to a daemon that took the data folder first', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    const [guardian] = daemon.guardians() as [number];
    process.kill(guardian, 'SIGSTOP');
    process.kill(daemon.pid, 'SIGKILL');
    await daemon.exited;
    const next = await startDaemonProcess(dataDir, ['--serial-port', robot.port]);
    onTestFinished(() => next.kill());
    process.kill(guardian, 'SIGCONT');
    await daemon.guardiansGone();
    expect(daemon.said()).toContain('guardian: another process has the data folder, and takes care of the robot');
    expect(await recordIn(dataDir)).toBeNull();
    await vi.waitFor(async () =>
      expect((await daemonAt(next.url).call('getRobot')).robot).toMatchObject({ state: 'awake', torque: true }),
    );
  });

  test('that folds the robot is waited for by the next daemon', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    process.kill(daemon.pid, 'SIGKILL');
    await vi.waitFor(() => expect(daemon.said()).toContain('robot: going to sleep'));
    const [guardian] = daemon.guardians() as [number];
    process.kill(guardian, 'SIGSTOP'); // on a busy machine it would be done before the daemon starts
    const options = ['--sim', '--hub', NO_HUB, '--port', '0', '--data-dir', dataDir];
    const next = execa(process.execPath, [robotDaemonProgram, ...options], { reject: false, all: true });
    onTestFinished(async () => {
      next.kill('SIGKILL');
      await next;
    });
    let said = '';
    next.all.on('data', (chunk) => {
      said += chunk;
    });
    const waits = 'waiting until the guardian of the last daemon has ended its models and folded the robot';
    await vi.waitFor(() => expect(said).toContain(waits));
    process.kill(guardian, 'SIGCONT');
    await vi.waitFor(() => expect(said).toMatch(/is at http/));
    expect(said.indexOf(waits)).toBe(said.lastIndexOf(waits));
    expect(said).toContain('The robot was folded.');
    expect(await robot.look()).toEqual(FOLDED);
  });

  test('records that a robot without its cable could not be folded, and what to do', async () => {
    const [dataDir, robot] = [await someDataDir(), await someRobot()];
    const daemon = await onRobot(robot, dataDir);
    robot.setPluggedIn(false);
    await vi.waitFor(() => expect(daemon.said()).toContain('The robot is not plugged in.'));
    process.kill(daemon.pid, 'SIGKILL');
    await daemon.guardiansGone();
    const reason = 'The robot is not plugged in.';
    const action = "Connect the robot's USB cable to this computer.";
    expect(await recordIn(dataDir)).toEqual({ ...NO_APP, robot: { state: 'not-folded', reason, action } });
    await isFree(dataDir);
  });

  test('has nothing to fold of a simulated robot, which ended with its daemon', async () => {
    const dataDir = await someDataDir();
    const daemon = await startGuardedDaemon(dataDir, ['--sim']);
    onTestFinished(() => daemon[Symbol.asyncDispose]());
    process.kill(-daemon.pid, 'SIGKILL');
    await daemon.guardiansGone();
    expect(await recordIn(dataDir)).toEqual({ ...NO_APP, robot: { state: 'simulated' } });
    await isFree(dataDir);
  });
});
