import { expect, test } from 'vitest';
import type { Motor, RobotState } from '../contract/robot/robot.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { type FoldLimits, foldRobot } from './fold-robot.ts';

const patient = { connectMs: 60_000, foldMs: 60_000, closeMs: 1_000 };
const LOST = { connected: false, reason: 'The robot is not plugged in.', action: 'Connect it.' };
const READY = { connected: true, reason: null, action: null };

/** @param sleeps what each fold does to the robot; the last one again and again */
function someRobot(sleeps: readonly ((robot: { holds: boolean; state: typeof LOST | typeof READY }) => void)[]) {
  const it = { holds: true, state: READY as typeof LOST | typeof READY };
  let folds = 0;
  let isClosed = false;
  return {
    it,
    folds: () => folds,
    isClosed: () => isClosed,
    robot: {
      start: () => {},
      get state() {
        return it.state as unknown as RobotState;
      },
      get motors() {
        return [{ torque: it.holds }] as unknown as readonly Motor[];
      },
      sleep: async () => {
        sleeps[Math.min(folds++, sleeps.length - 1)]?.(it);
        return 'done' as const;
      },
      close: async () => {
        isClosed = true;
      },
    },
  };
}

/** Folds it, in a time that passes quickly. */
function folded(robot: ReturnType<typeof someRobot>['robot'], limits: FoldLimits) {
  const clock = movableClock();
  return clock.during(foldRobot(clock, robot, limits));
}

test('a robot whose motors are off is left as it is', async () => {
  const { robot, it, folds, isClosed } = someRobot([]);
  it.holds = false;
  expect(await folded(robot, patient)).toEqual({ state: 'limp' });
  expect([folds(), isClosed()]).toEqual([0, true]);
});

test('a connection that is lost on the way is waited for, and the robot folds again', async () => {
  const lose = (it: { state: typeof LOST | typeof READY }) => {
    it.state = LOST;
  };
  const connect = (it: { state: typeof LOST | typeof READY }) => {
    it.state = READY;
  };
  const fold = (it: { holds: boolean }) => {
    it.holds = false;
  };
  const { robot, folds } = someRobot([lose, connect, fold]);
  expect(await folded(robot, patient)).toEqual({ state: 'folded' });
  expect(folds()).toBe(3);
});

test('a robot that cannot be connected is not folded, and the reason says what to do', async () => {
  const { robot, it, isClosed } = someRobot([]);
  it.state = LOST;
  const { reason, action } = LOST;
  expect(await folded(robot, { ...patient, connectMs: 0 })).toEqual({ state: 'not-folded', reason, action });
  expect(isClosed()).toBe(true);
});

test('a robot that does not fold in time is not folded', async () => {
  const { robot } = someRobot([]);
  const reason = 'it did not fold in time.';
  expect(await folded(robot, { ...patient, foldMs: 0 })).toEqual({ state: 'not-folded', reason, action: null });
});
