import { expect, test } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { outcomeForCaller } from './app-runner.ts';
import type { RunUnderWay } from './run-under-way.ts';

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
/** Comes after all that needs no time. */
const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));
/** A run that says whether a caller is its own, and the callers that it was asked about. */
function runThat(answer: () => Promise<boolean>) {
  const asked: CommandCaller[] = [];
  const has = (given: CommandCaller) => {
    asked.push(given);
    return answer();
  };
  return { run: { has } as unknown as RunUnderWay, asked };
}
const isOwn = () => runThat(async () => true);
const isOther = () => runThat(async () => false);

test('an app that asks for its own end gets the state of the slot, which does not wait for that end', async () => {
  const slot = { state: stateNamed('Running.') };
  const { run, asked } = isOwn();
  const answer = outcomeForCaller(caller, run, later(free), slot);
  slot.state = stateNamed('Asked to stop.');
  expect(await answer).toEqual(stateNamed('Asked to stop.'));
  expect(asked).toEqual([caller]);
});

test('another program waits for the outcome', async () => {
  const outcome = Promise.withResolvers<AppSlotState>();
  const slot = { state: stateNamed('Asked to stop.') };
  const answered: AppSlotState[] = [];
  const answer = outcomeForCaller(caller, isOther().run, outcome.promise, slot).then((state) => answered.push(state));
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(answered).toEqual([]);
  outcome.resolve(free);
  await answer;
  expect(answered).toEqual([free]);
});

test('a person, who is no program, waits for the outcome, and no run is asked', async () => {
  const { run, asked } = isOwn();
  expect(await outcomeForCaller(undefined, run, ended, { state: stateNamed('Running.') })).toBe(free);
  expect(asked).toEqual([]);
});

test('an outcome that comes before it is known who asks is the answer', async () => {
  const { run } = runThat(() => later(true));
  expect(await outcomeForCaller(caller, run, ended, { state: stateNamed('Running.') })).toBe(free);
});

test.each([
  ['a program', caller],
  ['a person', undefined],
])('a stop or start that fails fails for %s too', async (_, by) => {
  const failed = new Error('The start was cancelled.');
  const answer = outcomeForCaller(by, isOther().run, Promise.reject(failed), { state: free });
  await expect(answer).rejects.toBe(failed);
});

test('an app that asks for its own end does not get the failure that comes after', async () => {
  const outcome = Promise.withResolvers<AppSlotState>();
  const slot = { state: stateNamed('Asked to stop.') };
  expect(await outcomeForCaller(caller, isOwn().run, outcome.promise, slot)).toBe(slot.state);
  outcome.reject(new Error('The start was cancelled.'));
});
