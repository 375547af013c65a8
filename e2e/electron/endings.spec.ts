/**
 * Starts, uses and ends the program in every way: nothing is left, its app has ended and the robot is folded.
 * DESKTOP_ROUNDS sets the number of rounds.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from '../../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../../daemon/shared/files/data-paths.ts';
import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { startEmulatedRobot } from '../../daemon/testing/emulated-robot.ts';
import { childrenOf, type Desktop, expect, startDesktop, test } from './desktop.ts';
import { type Ending, endings, GUARDIAN } from './endings.ts';
import { ProgramProcesses } from './program-processes.ts';
import { robotStates } from './robot-states.ts';

/** Rounds for each way. */
const rounds = Math.ceil(Number(process.env['DESKTOP_ROUNDS'] ?? endings.length) / endings.length);

test.setTimeout(120_000 + rounds * 60_000);

/** A robot for a round. */
interface TestRobot extends AsyncDisposable {
  readonly options: readonly string[];
  /** Begins to watch, before the program ends. @returns a check, for when it has ended, that the robot is folded */
  watch(desktop: Desktop): Promise<() => Promise<void>>;
}

/** Its states are read from the events of the daemon, since it ends with the daemon. */
async function simulatedRobot(): Promise<TestRobot> {
  return {
    options: ['--sim'],
    watch: async (desktop) => {
      const states = robotStates(desktop);
      return async () => expect((await states).at(-1), 'the state of the simulated robot').toBe('asleep');
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Its servos are in the process of the test, and are asked themselves. */
async function emulatedRobot(): Promise<TestRobot> {
  const robot = await startEmulatedRobot();
  return {
    options: ['--serial-port', robot.port],
    watch: async () => async () => expect(await robot.look()).toEqual({ holding: 0, isFolded: true }),
    [Symbol.asyncDispose]: () => robot[Symbol.asyncDispose](),
  };
}

for (const [index, ending] of endings.entries()) {
  const tag = ending.name === 'SIGKILL' ? ['@smoke'] : [];
  test(`${ending.name}, ${rounds} ×: nothing is left, and the robot is folded`, { tag }, async ({ dataDir }) => {
    for (let round = 0; round < rounds; round += 1) {
      // The simulated robot ends with the main process, folded or not.
      const isSimulated = ending.inOrder && (index + round) % 2 === 0;
      await using robot = await (isSimulated ? simulatedRobot() : emulatedRobot());
      await test.step(`round ${round + 1}, ${robot.options.join(' ')}`, () => playRound(ending, dataDir, robot));
    }
  });
}

async function playRound({ end, inOrder }: Ending, dataDir: string, robot: TestRobot): Promise<void> {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'endings-'));
  const processes = new ProgramProcesses();
  const env = { TMPDIR, ...processes.env };
  const desktop = await startDesktop(dataDir, { env, options: robot.options });
  await startApp(desktop);
  expect(await childrenOf(dataDir), 'the app').toHaveLength(1);
  await expect.poll(() => processes.matching(GUARDIAN), 'the guardian').toHaveLength(1);
  const expectFolded = await robot.watch(desktop);
  await end({ desktop, processes });
  expect(await desktop.exited, 'the exit code').toBe(inOrder ? 0 : null);
  const left = async () => ({
    processes: (await processes.list()).map(({ command }) => command),
    children: await childrenOf(dataDir),
    temporary: await readdir(TMPDIR),
  });
  await expect.poll(left, { message: 'left' }).toEqual({ processes: [], children: [], temporary: [] });
  await expect(fetch(desktop.url)).rejects.toThrow();
  (await lockDataFolder(dataPaths(dataDir))).release();
  await expectFolded();
  await rm(TMPDIR, { recursive: true });
}

/** Installs the app if this is the first round, and starts it once the robot is awake. */
async function startApp(desktop: Desktop): Promise<void> {
  if ((await desktop.call('listApps')).length === 0) {
    expect(await desktop.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
  }
  await expect.poll(async () => (await desktop.call('getRobot')).robot.state).toBe('awake');
  await desktop.call('startApp', { params: { appName: 'polite' } });
  await expect.poll(async () => (await desktop.slot()).state).toBe('running');
}
