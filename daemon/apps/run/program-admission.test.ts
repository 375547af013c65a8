import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MotionRefused } from '../../robot/errors.ts';
import type { AppRunner } from './app-runner.ts';
import { AppSlot } from './app-slot.ts';
import { programAdmission } from './program-admission.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function admission(runner: Partial<AppRunner> = {}) {
  const slot = new AppSlot({ publish: () => {}, now: () => new Date(0) });
  return { slot, admit: programAdmission({ slot, runner: runner as AppRunner }) };
}

test('a run that has ended cannot move the robot, even if its socket is still open', () => {
  const running = { token: 't' };
  const { admit } = admission({ connected: () => true, isRunning: (token) => token === running.token });
  const pass = admit({ runToken: 't', clientName: 'dance', remote: false });
  pass.requireMotion(0);
  running.token = 'of the next run';
  expect(() => pass.requireMotion(0)).toThrow(MotionRefused);
});

test('the connections of a program share the slot until the last lets go; those of others are refused', () => {
  const { slot, admit } = admission();
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
  vi.advanceTimersByTime(2_000);
  other.requireMotion(0);
  expect(() => first.requireMotion(0)).toThrow(MotionRefused);
});

test('a local program holds the slot for its motion and two seconds, or until it leaves', () => {
  const { slot, admit } = admission();
  const pass = admit({ runToken: null, clientName: 'my_script.py', remote: false });
  pass.requireMotion(1);
  vi.advanceTimersByTime(2_999);
  expect(slot.state).toMatchObject({ state: 'running', holder: { kind: 'local-app' } });
  vi.advanceTimersByTime(1);
  expect(slot.state.state).toBe('free');
  pass.requireMotion(600);
  pass.leave();
  expect(slot.state.state).toBe('free');
});
