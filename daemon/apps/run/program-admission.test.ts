import { expect, test } from 'vitest';
import { MotionRefused } from '../../robot/errors.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import type { AppRunner } from './app-runner.ts';
import { AppSlot } from './app-slot.ts';
import { programAdmission } from './program-admission.ts';

function admission(runner: Partial<AppRunner> = {}) {
  const clock = manualClock();
  const slot = new AppSlot({ publish: () => {}, now: clock.now });
  return { clock, slot, admit: programAdmission({ slot, runner: runner as AppRunner, clock }) };
}

test('a run that has ended cannot move the robot, even if its socket is still open', () => {
  const running = { token: 't' };
  const run = { hello: () => {}, setSdkAnswering: () => {}, onStopAsked: () => () => {} };
  const { admit } = admission({ runWith: (token) => (token === running.token ? run : null) });
  const pass = admit({ runToken: 't', clientName: 'dance', remote: false });
  pass.requireMotion(0);
  running.token = 'of the next run';
  expect(() => pass.requireMotion(0)).toThrow(MotionRefused);
});

test('the connections of a program share the slot until the last lets go; those of others are refused', async () => {
  const { clock, slot, admit } = admission();
  const connection = (programId?: string) =>
    admit({ runToken: null, clientName: 'notebook', remote: false, ...(programId && { programId }) });
  const [first, second, other, nameless] = [connection('a'), connection('a'), connection('b'), connection()];
  first.requireMotion(0);
  second.requireMotion(600);
  for (const stranger of [other, nameless]) expect(() => stranger.requireMotion(0)).toThrow(MotionRefused);
  first.leave();
  first.leave();
  expect(slot.state.state).toBe('running');
  second.leave();
  expect(slot.state.state).toBe('free');
  nameless.requireMotion(0);
  expect(() => connection().requireMotion(0)).toThrow(MotionRefused);
  await clock.advance(2_000);
  other.requireMotion(0);
  expect(() => first.requireMotion(0)).toThrow(MotionRefused);
});

test('a local program holds the slot for its motion and two seconds, or until it leaves', async () => {
  const { clock, slot, admit } = admission();
  const pass = admit({ runToken: null, clientName: 'my_script.py', remote: false });
  pass.requireMotion(1);
  await clock.advance(2_999);
  expect(slot.state).toMatchObject({ state: 'running', holder: { kind: 'local-app' } });
  await clock.advance(1);
  expect(slot.state.state).toBe('free');
  pass.requireMotion(600);
  pass.leave();
  expect(slot.state.state).toBe('free');
});
