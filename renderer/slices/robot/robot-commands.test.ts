import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { RobotState } from '../../../daemon/contract/robot/robot.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { robotState } from '../../testing/fixtures.ts';
import { isPending, refusalOf } from '../base/commands.ts';
import { blockedReason, suggestedCommand } from './robot-commands.ts';

const state = (name: RobotState['state']) => robotState({ state: name });

test.each([
  ['awake', robotState(), 'sleep'],
  ['awake with a motor off', robotState({ torque: false }), 'wakeUp'],
  ['awake after a wake-up that failed', robotState({ reason: 'The wake-up failed: A motor is silent.' }), 'wakeUp'],
  ['asleep', state('asleep'), 'wakeUp'],
  ['in error', state('error'), 'wakeUp'],
] as const)('a robot that is %s has one suggested command', (_when, robot, command) => {
  expect(suggestedCommand(robot)).toBe(command);
});

test('a program that uses the robot is not disturbed, but a sleeping robot may be woken', () => {
  const why = 'dance has the robot. Stop it first.';
  expect(blockedReason('sleep', robotState(), 'dance')).toBe(why);
  expect(blockedReason('wakeUp', robotState({ torque: false }), 'dance')).toBe(why);
  expect(blockedReason('motorsOff', robotState(), 'dance')).toBe(why);
  expect(blockedReason('wakeUp', state('asleep'), 'dance')).toBeNull();
  expect(blockedReason('wakeUp', state('error'), 'dance')).toBeNull();
  expect(blockedReason('sleep', robotState(), null)).toBeNull();
});

test('motors can be switched off at any time, and on only while the robot is not waking or going to sleep', () => {
  expect(blockedReason('motorsOff', state('waking'), null)).toBeNull();
  expect(blockedReason('motorsOn', state('waking'), null)).toBe('The robot is waking up.');
  expect(blockedReason('wakeUp', state('going-to-sleep'), null)).toBe('The robot is going to sleep.');
});

test('a disconnected robot takes no command and says why', () => {
  const gone = robotState({ state: 'disconnected', reason: 'The robot is not plugged in.' });
  expect(blockedReason('wakeUp', gone, null)).toBe('The robot is not plugged in.');
  expect(blockedReason('motorsOff', gone, null)).toBe('The robot is not plugged in.');
  const dead = robotState({ state: 'error', connected: false, reason: 'The motor stewart_2 does not answer.' });
  expect(blockedReason('wakeUp', dead, null)).toBe('The motor stewart_2 does not answer.');
  const overloaded = robotState({ state: 'error', torque: false });
  expect(blockedReason('wakeUp', overloaded, null)).toBeNull();
});

test('a refusal is kept until the robot recovers, starts a motion, or the slot is free', async () => {
  const refusal = new DaemonError(503, 'The motor stewart_1 does not hold.');
  const refuse = () => {
    throw refusal;
  };
  const { store } = testDashboard({ wakeUpRobot: refuse }, { robot: state('asleep') });
  const { sendRobotCommand, apply } = store.getState();
  const afterwards = async (first: RobotState['state'], then: RobotState['state']) => {
    apply({ type: 'robot.changed', robot: state(first) });
    await sendRobotCommand('wakeUp');
    expect(refusalOf('robot', ['wakeUp'])(store.getState())).toBe(refusal);
    expect(isPending('robot')(store.getState())).toBe(false);
    apply({ type: 'robot.changed', robot: state(then) });
    return refusalOf('robot')(store.getState());
  };
  expect(await afterwards('asleep', 'asleep')).not.toBeNull();
  expect(await afterwards('waking', 'asleep')).not.toBeNull(); // a failed wake-up ends this way
  expect(await afterwards('asleep', 'waking')).toBeNull();
  expect(await afterwards('error', 'awake')).toBeNull();
  expect(await afterwards('disconnected', 'asleep')).toBeNull();
  await sendRobotCommand('wakeUp');
  apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } });
  expect(refusalOf('robot')(store.getState())).toBeNull();
});

test('the reply to a robot command changes nothing: the state waits for the event', async () => {
  const { store } = testDashboard({ wakeUpRobot: () => ({ robot: robotState() }) }, { robot: state('asleep') });
  await store.getState().sendRobotCommand('wakeUp');
  expect(store.getState().robot?.state).toBe('asleep');
});
