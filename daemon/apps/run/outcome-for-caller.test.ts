import { expect, test } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { outcomeForCaller } from './app-runner.ts';

const free: AppSlotState = { state: 'free', lastRun: null };
const stateNamed = (detail: string): AppSlotState => ({
  state: 'stopping',
  holder: { kind: 'managed-app', appName: 'dance', runId: '1' },
  since: '2026-01-01T00:00:00.000Z',
  sdk: 'connected',
  settingsPage: 'none',
  detail,
  until: null,
  alive: [],
});
const caller: CommandCaller = { runToken: 'token', isOneOf: async () => false };
const ended = Promise.resolve(free);
/** A run that says whether a caller is its own, and the callers that it was asked about. */
function runThat(answer: () => Promise<boolean>) {
  const asked: CommandCaller[] = [];
  const has = (given: CommandCaller) => {
    asked.push(given);
    return answer();
  };
  const end = new AbortController();
  return { run: { has, ended: end.signal }, end, asked };
}
const isOwn = () => runThat(async () => true);
const isOther = () => runThat(async () => false);
/** The slot and the clock for `outcomeForCaller`. */
const withSlot = (state: AppSlotState) => ({ slot: { state }, clock: manualClock() });

test('an app that asks for its own end gets the state of the slot, which does not wait for that end', async () => {
  const deps = withSlot(stateNamed('Running.'));
  const { run, asked } = isOwn();
  const answer = outcomeForCaller(caller, run, new Promise(() => {}), deps);
  deps.slot.state = stateNamed('Asked to stop.');
  await deps.clock.advance(100);
  expect(await answer).toEqual(stateNamed('Asked to stop.'));
  expect(asked).toEqual([caller]);
});

test('another program waits for the outcome', async () => {
  const outcome = Promise.withResolvers<AppSlotState>();
  const deps = withSlot(stateNamed('Asked to stop.'));
  const answered: AppSlotState[] = [];
  const answer = outcomeForCaller(caller, isOther().run, outcome.promise, deps).then((state) => answered.push(state));
  await deps.clock.advance(60_000);
  expect(answered).toEqual([]);
  outcome.resolve(free);
  await answer;
  expect(answered).toEqual([free]);
});

test('a person, who is no program, waits for the outcome, and no run is asked', async () => {
  const { run, asked } = isOwn();
  expect(await outcomeForCaller(undefined, run, ended, withSlot(stateNamed('Running.')))).toBe(free);
  expect(asked).toEqual([]);
});

test('a run that ends soon is never asked whose process the program is', async () => {
  const deps = withSlot(stateNamed('Asked to stop.'));
  const { run, end, asked } = isOwn();
  const outcome = Promise.withResolvers<AppSlotState>();
  const answer = outcomeForCaller(caller, run, outcome.promise, deps);
  await deps.clock.advance(99);
  end.abort();
  await deps.clock.advance(60_000);
  outcome.resolve(free);
  expect(await answer).toBe(free);
  expect(asked).toEqual([]);
});

test('an outcome that comes before it is known who asks is the answer', async () => {
  const deps = withSlot(stateNamed('Running.'));
  const { run } = runThat(() => new Promise(() => {}));
  const outcome = Promise.withResolvers<AppSlotState>();
  const answer = outcomeForCaller(caller, run, outcome.promise, deps);
  await deps.clock.advance(100);
  outcome.resolve(free);
  expect(await answer).toBe(free);
});

test.each([
  ['a program', caller],
  ['a person', undefined],
])('a stop or start that fails fails for %s too', async (_, by) => {
  const failed = new Error('The start was cancelled.');
  const answer = outcomeForCaller(by, isOther().run, Promise.reject(failed), withSlot(free));
  await expect(answer).rejects.toBe(failed);
});

test('an app that asks for its own end does not get the failure that comes after', async () => {
  const outcome = Promise.withResolvers<AppSlotState>();
  const deps = withSlot(stateNamed('Asked to stop.'));
  const answer = outcomeForCaller(caller, isOwn().run, outcome.promise, deps);
  await deps.clock.advance(100);
  expect(await answer).toBe(deps.slot.state);
  outcome.reject(new Error('The start was cancelled.'));
});
