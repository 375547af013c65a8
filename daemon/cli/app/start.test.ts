import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../client/daemon-error.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { captureOutput, withoutWaiting } from '../../testing/terminal/in-process.ts';
import { scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { Interrupted } from '../shared/errors.ts';
import { type StartOptions, start } from './runs.ts';

type InSlot = Exclude<AppSlotState, { state: 'free' }>;
const never = new AbortController().signal;
const AT = '2026-11-27T08:00:00.000Z';

const slotWith = (more: Partial<InSlot> = {}): InSlot => ({
  ...{ state: 'running', holder: { kind: 'managed-app', appName: 'wave', runId: 'r1' }, since: AT, sdk: 'connected' },
  ...{ settingsPage: 'none', detail: null, until: null, alive: [] },
  ...more,
});
const starting = slotWith({ state: 'starting', sdk: 'waiting' });
const unconnected = slotWith({ sdk: 'waiting' });
const connected = slotWith();
const silent = slotWith({ sdk: 'silent' });
const free: AppSlotState = { state: 'free', lastRun: null };
const runOf = (outcome: AppRun['outcome'], more: Partial<AppRun> = {}): AppRun => ({
  ...{ runId: 'r1', appName: 'wave', startedAt: AT, endedAt: AT, outcome, exitCode: 0, signal: null },
  ...{ message: `It has ${outcome}.`, diagnosis: null, version: '1.0', killed: [] },
  ...more,
});

interface Course {
  /** The slot after the start and at each later look; the last one stays. */
  readonly slots: readonly [AppSlotState, ...AppSlotState[]];
  readonly runs?: readonly AppRun[];
  /** The time that the daemon takes to answer with the slot. */
  readonly answerMs?: number;
}

/** Starts the app wave on a daemon. */
async function started(options: StartOptions, { slots, runs = [], answerMs = 0 }: Course) {
  const printed = captureOutput();
  let looks = 0;
  const slotAt = (look: number) => slots[Math.min(look, slots.length - 1)] as AppSlotState;
  const { client, calls } = scriptedClient({
    startApp: () => slotAt(0),
    getAppSlot: () => {
      vi.advanceTimersByTime(answerMs);
      looks += 1;
      return slotAt(looks);
    },
    listRuns: () => [...runs],
  });
  const { ms } = await withoutWaiting(() => start({ client, signal: never }, 'wave', options));
  const { out, err, code } = printed;
  return { out, err, code, ms, calls };
}
const HINT = 'Its output: robot-daemon app logs wave --follow\n';

test('an app that has not connected after ten seconds still loads, and the command ends', async () => {
  const loading = slotWith({ state: 'starting', sdk: 'silent', detail: 'Still loading, now torch.' });
  const { out, err, code } = await started({}, { slots: [starting, loading] });
  expect({ out, err, code }).toEqual({
    ...{ out: 'wave still loads: it has not connected to the robot yet.\n', err: `Starting wave…\n${HINT}`, code: 0 },
  });
});

test('an app runs once it has been connected for a second', async () => {
  const course = { slots: [starting, unconnected, connected], answerMs: 50 } as const;
  const { out, err, code, ms } = await started({}, course);
  expect({ out, err, code }).toEqual({ out: 'wave runs.\n', err: `Starting wave…\n${HINT}`, code: 0 });
  expect(ms).toBe(2 * 200 + 1_000);
});

test('an app that has not connected in time runs without a connection, which is stated at once', async () => {
  const { out, err, code, ms } = await started({}, { slots: [silent] });
  expect({ out, err, code, ms }).toEqual({
    ...{ out: 'wave runs, without a connection to the robot.\n', err: HINT, code: 0, ms: 0 },
  });
});

test('what an app waits for is shown once', async () => {
  const waiting = { ...starting, detail: 'Waiting for the endpoint chat.' };
  const { err } = await started({}, { slots: [starting, starting, waiting, waiting, starting, silent] });
  expect(err).toBe(`Starting wave…\nWaiting for the endpoint chat.\nStarting wave…\n${HINT}`);
});

test('a start replaces the running app and wakes paid endpoints only where that is asked for', async () => {
  const asked = async (options: StartOptions) => (await started(options, { slots: [silent] })).calls[0];
  const call = (query: object) => ['startApp', { params: { appName: 'wave' }, query, signal: never }];
  expect(await asked({})).toEqual(call({ replace: false, wakePaid: false }));
  expect(await asked({ replace: true })).toEqual(call({ replace: true, wakePaid: false }));
  expect(await asked({ wakePaid: true })).toEqual(call({ replace: false, wakePaid: true }));
});

test.each([
  ['finished', 0],
  ['stopped', 1],
  ['killed', 1],
  ['crashed', 1],
] as const)(
  'of an app that %s within a second after its connection the end is printed, with code %i',
  async (outcome, code) => {
    const runs = [runOf('finished', { runId: 'r0', message: 'An earlier run.' }), runOf(outcome)];
    const ended = await started({}, { slots: [connected, connected, free], runs });
    expect({ ...ended, calls: ended.calls.at(-1) }).toEqual({
      ...{ out: `wave: It has ${outcome}.\n`, err: 'Starting wave…\n', code, ms: 300 },
      calls: ['listRuns', { query: { app: 'wave', limit: 10 } }],
    });
  },
);

test('of a crash the place, the output and what to do are printed', async () => {
  const ownLine = { file: 'wave/main.py', line: 7, code: '  import nothing' };
  const known = { cause: 'missing-module', message: 'A module is missing.', action: 'Add it.' } as const;
  const diagnosis = { ...known, ownLine, evidence: ['ModuleNotFoundError: nothing'] };
  const { out } = await started({}, { slots: [starting, free], runs: [runOf('crashed', { diagnosis })] });
  expect(out).toBe(
    'wave: It has crashed.\n  wave/main.py:7: import nothing\n  ModuleNotFoundError: nothing\nAdd it.\n',
  );
});

const later = slotWith({ holder: { kind: 'managed-app', appName: 'wave', runId: 'r2' } });
const notebook = slotWith({ holder: { kind: 'local-app', name: 'notebook' } });
test.each([
  ['another run of it', later],
  ['a program of the user', notebook],
  ['nobody', free],
])('where the slot belongs to %s, and the run has left no trace, that is stated with code 1', async (_, slot) => {
  const runs = [runOf('finished', { runId: 'r0' })];
  const { out, code } = await started({}, { slots: [starting, slot], runs });
  expect({ out, code }).toEqual({ out: 'wave no longer runs.\n', code: 1 });
});

test('a slot that another program has right after the start is not taken for the app', async () => {
  for (const slot of [free, notebook]) {
    const { out, code } = await started({}, { slots: [slot], runs: [runOf('finished')] });
    expect({ out, code }).toEqual({ out: 'wave no longer runs.\n', code: 1 });
  }
});

test('as JSON the slot or the end of the run is printed, and nothing else', async () => {
  const json = async (course: Course) => {
    const { out, err, code } = await started({ json: true }, course);
    return { out: JSON.parse(out) as unknown, err, code };
  };
  expect(await json({ slots: [starting, connected] })).toEqual({ out: connected, err: '', code: 0 });
  const crash = runOf('crashed');
  expect(await json({ slots: [starting, free], runs: [crash] })).toEqual({
    ...{ out: { state: 'ended', run: crash }, err: '', code: 1 },
  });
  expect(await json({ slots: [starting, notebook] })).toEqual({ out: notebook, err: '', code: 1 });
});

test('an interrupt ends the wait', async () => {
  const printed = captureOutput();
  const interrupt = new AbortController();
  const getAppSlot = () => {
    interrupt.abort(new Interrupted());
    return starting;
  };
  const { client } = scriptedClient({ startApp: () => starting, getAppSlot });
  const work = withoutWaiting(() => start({ client, signal: interrupt.signal }, 'wave', {}));
  await expect(work).rejects.toThrow(Interrupted);
  expect(printed.out).toBe('');
});

test('a refusal of the daemon ends the command', async () => {
  const refuse = () => {
    throw new DaemonError(409, 'An app is already running.');
  };
  const { client } = scriptedClient({ startApp: refuse });
  await expect(start({ client, signal: never }, 'wave', {})).rejects.toThrow('An app is already running.');
});
