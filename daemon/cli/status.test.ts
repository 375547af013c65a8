import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { AppSlotState } from '../contract/apps/app-slot.ts';
import type { AppRun } from '../contract/apps/runs.ts';
import type { GraphicsCards } from '../contract/compute/graphics-cards.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { Job } from '../contract/jobs.ts';
import type { ReplyBody } from '../contract/operations/operations.ts';
import type { RobotState } from '../contract/robot/robot.ts';
import { type Instance, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance, serveScripted, statusOfDaemon } from '../testing/terminal/scripted-daemon.ts';
import type { JsonOption } from './shared/print.ts';
import { status } from './status.ts';

const STARTED_AT = '2026-11-27T08:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(STARTED_AT) + 134 * MINUTE }));
afterEach(() => void vi.useRealTimers());

const robot: RobotState = {
  ...{ state: 'asleep', connected: true, reason: null, action: null, command: null, backend: 'lite', simulation: null },
  ...{ torque: false, motion: null, move: null, atDefault: true },
};
const joints = { bodyYaw: 0, stewart: [0, 0, 0, 0, 0, 0], antennas: [0, 0] };
const pose = { joints, head: Array(16).fill(0) as number[], speedLimited: false, timeS: 0 };
const slot: Exclude<AppSlotState, { state: 'free' }> = {
  ...{ state: 'running', holder: { kind: 'managed-app', appName: 'wave', runId: 'r1' }, since: STARTED_AT },
  ...{ sdk: 'connected', settingsPage: 'none', detail: null, until: null, alive: [] },
};
const run: AppRun = {
  ...{ runId: 'r1', appName: 'wave', startedAt: STARTED_AT, endedAt: STARTED_AT, outcome: 'crashed', exitCode: 1 },
  ...{ signal: null, message: 'It raised\nan error.', diagnosis: null, version: '1.0', killed: [] },
};
const job = (subject: string, endedAt: string | null): Job => ({
  ...{ id: subject, kind: 'install-app', subject, appName: null, state: 'running', steps: [], detail: null },
  ...{ transfer: null, cancelling: false, failure: null, createdAt: STARTED_AT, startedAt: null, endedAt, logTail: [] },
});

const cards: GraphicsCards = { isOn: false, cards: [], usagePercent: null, problem: null, canTryAgain: false };

interface Daemon {
  readonly status?: Partial<DaemonStatus>;
  readonly robot?: Partial<RobotState> | null;
  readonly slot?: AppSlotState | null;
  readonly jobs?: readonly Job[] | null;
  readonly cards?: GraphicsCards | null;
  readonly instance?: Partial<Instance>;
}

type Questions = 'getAppSlot' | 'listJobs' | 'getRobot' | 'listGraphicsCards';

/** The text that is printed of a daemon. null: it does not answer that question. */
async function printedOf({ instance = {}, ...daemon }: Daemon, options: JsonOption = {}) {
  const { slot: slotNow = { state: 'free', lastRun: null }, jobs = [], cards: cardsNow = cards } = daemon;
  const replies: { [N in Questions]?: ReplyBody<N> } = {
    ...(slotNow && { getAppSlot: slotNow }),
    ...(cardsNow && { listGraphicsCards: cardsNow }),
    ...(jobs && { listJobs: [...jobs] }),
    ...(daemon.robot !== null && { getRobot: { robot: { ...robot, ...daemon.robot }, pose } }),
  };
  const { url } = await serveScripted({ getDaemonStatus: { ...statusOfDaemon, ...daemon.status }, ...replies });
  const paths = await newDataFolder();
  await recordInstance(paths, { url, ...instance });
  const printed = captureOutput();
  await status(paths, options);
  return { out: printed.out.replace(url, 'URL'), err: printed.err, code: printed.code };
}
/** One row of what is printed. */
async function row(name: string, daemon: Daemon): Promise<string | undefined> {
  const lines = (await printedOf(daemon)).out.split('\n');
  return lines.find((line) => line.startsWith(`  ${name} `))?.slice(15);
}

test('of a daemon that runs its address, its state and that of its parts are printed', async () => {
  expect(await printedOf({ slot, jobs: [job('/a', STARTED_AT), job('/b', null), job('/c', null)] })).toEqual({
    out: `Robot daemon 1.2.3 is at URL/
  process      999999999, for 2 h 14 min
  data folder  /data
  Python       3.12.4, installer uv
  robot        lite, asleep
  app          wave, running
  jobs         install-app /b, install-app /c
  graphics     switched off
`,
    ...{ err: '', code: 0 },
  });
});

test('a question that the daemon does not answer is shown as such', async () => {
  expect((await printedOf({ slot: null, robot: null, jobs: null, cards: null })).out).toContain(
    '  robot        no answer\n  app          no answer\n  jobs         no answer\n  graphics     no answer\n',
  );
});

test('as JSON there is what the daemon answers, and null for what it does not', async () => {
  const printed = await printedOf({ jobs: [job('/b', null)], robot: null }, { json: true });
  expect({ ...printed, out: JSON.parse(printed.out) }).toEqual({
    out: {
      ...{ state: 'running', dataDir: expect.any(String), pid: 999_999_999, url: 'URL', daemon: statusOfDaemon },
      ...{ robot: null, app: { state: 'free', lastRun: null }, jobs: [job('/b', null)], graphicsCards: cards },
    },
    ...{ err: '', code: 0 },
  });
});

test.each([
  [-5 * MINUTE, 'less than a minute'], // the clock was set back
  [0, 'less than a minute'],
  [MINUTE - 1, 'less than a minute'],
  [MINUTE, '1 min'],
  [HOUR - 1, '59 min'],
  [HOUR, '1 h 0 min'],
  [24 * HOUR - 1, '23 h 59 min'],
  [24 * HOUR, '1 d 0 h'],
  [75 * HOUR, '3 d 3 h'],
])('a daemon that has run for %i ms runs for %s', async (ms, text) => {
  vi.setSystemTime(Date.parse(STARTED_AT) + ms);
  expect(await row('process', {})).toBe(`999999999, for ${text}`);
});

test('a daemon with a window says so', async () => {
  const desktop: [string] = ['/opt/robot-desktop'];
  expect(await row('process', { instance: { desktop } })).toBe(
    '999999999, in the window of Robot Desktop, for 2 h 14 min',
  );
});

test.each<[DaemonStatus['python'], string]>([
  [{ state: 'ready', version: '3.11.7', installer: 'pip' }, '3.11.7, installer pip'],
  [{ state: 'looking' }, 'looking'],
  [{ state: 'missing', reason: 'None.', action: 'Install one.' }, 'missing'],
])('the Python %o is "%s"', async (python, text) => {
  expect(await row('Python', { status: { python } })).toBe(text);
});

test.each<[DaemonStatus['secrets'], string | undefined]>([
  [undefined, undefined],
  [{ kept: 'keychain' }, "encrypted by the system's keychain"],
  [
    { kept: 'key-file', file: '/data/key', reason: 'There is no keychain.', action: 'Install one.' },
    'encrypted with the key in /data/key. There is no keychain. Install one.',
  ],
])('the keeping of secrets %o is "%s"', async (secrets, text) => {
  expect(await row('secrets', { status: secrets ? { secrets } : {} })).toBe(text);
});

test.each<[Partial<RobotState>, string]>([
  [{ simulation: 'chosen', backend: 'simulation', state: 'awake' }, 'simulation, awake'],
  [{ simulation: 'no-robot', backend: 'simulation' }, 'simulation (no robot found), asleep'],
  [{ simulation: 'robot-waiting' }, 'lite (the robot takes over when no app runs), asleep'],
  [{ state: 'error', reason: 'A motor\u001b is hot.' }, 'lite, error: A motor\\u001b is hot.'],
  [
    { reason: 'The wake-up failed: A motor is silent.', action: 'Wake it again.' },
    'lite, asleep: The wake-up failed: A motor is silent. Wake it again.',
  ],
])('the robot %o is "%s"', async (state, text) => {
  expect(await row('robot', { robot: state })).toBe(text);
});

const diagnosis = {
  ...{ cause: 'exception', message: 'It failed.', action: 'Look at its output.', ownLine: null, evidence: [] },
} as const satisfies AppRun['diagnosis'];
test.each<[AppSlotState, string]>([
  [{ state: 'free', lastRun: null }, 'none'],
  [{ state: 'free', lastRun: { ...run, outcome: 'finished' } }, 'none'],
  [{ state: 'free', lastRun: run }, 'none, wave crashed: It raised an error.'],
  [
    { state: 'free', lastRun: { ...run, diagnosis: { ...diagnosis, evidence: [] } } },
    'none, wave crashed: It raised an error. Look at its output.',
  ],
  [{ ...slot, state: 'stopping' }, 'wave, stopping'],
  [{ ...slot, holder: { kind: 'local-app', name: 'notebook' } }, 'notebook (not started by the daemon), running'],
  [{ ...slot, holder: { kind: 'remote-session', name: 'ada' } }, 'ada (not started by the daemon), running'],
])('the slot %o is "%s"', async (state, text) => {
  expect(await row('app', { slot: state })).toBe(text);
});

test('a long message of a crash is cut', async () => {
  const text = await row('app', { slot: { state: 'free', lastRun: { ...run, message: 'x'.repeat(2_000) } } });
  expect(text).toBe(`none, wave crashed: ${'x'.repeat(585)}…`);
});

test('without a job that runs there are none', async () => {
  expect(await row('jobs', { jobs: [job('/a', STARTED_AT)] })).toBe('none');
});

test('a disk that takes nothing is reported last', async () => {
  const storageProblem = { reason: 'The disk is full.', action: 'Free some space.' };
  expect((await printedOf({ status: { storageProblem } })).out).toMatch(
    /\n {2}jobs {9}none\n {2}graphics {5}switched off\n {2}Nothing can be saved, and no app can start: The disk is full\. Free some space\.\n$/,
  );
});

test('where no daemon runs, that is stated, with a code of its own', async () => {
  const paths = await newDataFolder();
  const printed = captureOutput();
  await status(paths, {});
  expect(printed).toMatchObject({ out: `No robot daemon runs on ${paths.root}.\n`, err: '', code: 3 });
  const json = captureOutput();
  await status(paths, { json: true });
  const nothing = { url: null, daemon: null, robot: null, app: null, jobs: null, graphicsCards: null };
  expect(JSON.parse(json.out)).toEqual({ state: 'none', dataDir: paths.root, pid: null, ...nothing });
  expect(json.code).toBe(3);
});

test.each([
  [null, ''],
  [['/opt/robot-desktop'] as [string], ', in the window of Robot Desktop'],
])('a daemon that does not answer is reported with what to do, and code 1; its program: %j', async (desktop, where) => {
  const paths = await newDataFolder();
  const lock = await lockDataFolder(paths);
  onTestFinished(() => lock.release());
  await recordInstance(paths, { pid: process.pid, startTime: await startTimeOf(process.pid), desktop });
  const printed = captureOutput();
  await status(paths, {});
  expect(printed).toMatchObject({
    out: `The robot daemon on ${paths.root} (process ${process.pid}${where}) does not answer: it is starting, or it hangs.
If it still does not answer in a minute: robot-daemon restart\n`,
    ...{ err: '', code: 1 },
  });
});
