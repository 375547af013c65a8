import { expect, test } from 'vitest';
import type { OwnMove } from '../contract/robot/moves.ts';
import type { MotionReport, RobotState } from '../contract/robot/robot.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance, serveScripted } from '../testing/terminal/scripted-daemon.ts';
import { listMoves, play, sleep, stop, wake } from './robot.ts';

const robot: RobotState = {
  ...{ state: 'awake', connected: true, reason: null, action: null, command: null, backend: 'simulation' },
  ...{ simulation: 'chosen', torque: true, motion: null, move: null, atDefault: true },
};
const report = (more: Partial<MotionReport> = {}): MotionReport => ({ outcome: 'done', clamped: [], robot, ...more });
const moves: OwnMove[] = [
  { name: 'yes', kind: 'emotion', description: 'It nods.', durationS: 1.25 },
  { name: 'waltz', kind: 'dance', description: '', durationS: 12 },
];

type Replies = Parameters<typeof serveScripted>[0];

/** Calls a command on a daemon with these replies. */
async function called(replies: Replies, command: (paths: Awaited<ReturnType<typeof newDataFolder>>) => Promise<void>) {
  const { url, seen } = await serveScripted(replies);
  const paths = await newDataFolder();
  await recordInstance(paths, { url });
  const printed = captureOutput();
  await command(paths);
  return { out: printed.out, calls: seen.map(({ call, body }) => [call, body]) };
}

test('the robot is woken, put to sleep and stopped, and the result is printed', async () => {
  expect(await called({ wakeUpRobot: report() }, (paths) => wake(paths, {}))).toEqual({
    ...{ out: 'The robot is awake.\n', calls: [['POST /api/robot/wake-up', null]] },
  });
  const folded = report({ robot: { ...robot, state: 'asleep' } });
  expect(await called({ putRobotToSleep: folded }, (paths) => sleep(paths, {}))).toEqual({
    ...{ out: 'The robot is asleep.\n', calls: [['POST /api/robot/sleep', null]] },
  });
  expect(await called({ stopRobot: robot }, (paths) => stop(paths, {}))).toEqual({
    ...{ out: 'The robot is stopped.\n', calls: [['POST /api/robot/stop', null]] },
  });
});

test('a motion that was stopped, and a robot that has a problem, say so', async () => {
  const reason = 'A motor is hot.';
  const stopped = report({ outcome: 'stopped', robot: { ...robot, state: 'error', reason, action: 'Let it cool.' } });
  const { out } = await called({ wakeUpRobot: stopped }, (paths) => wake(paths, {}));
  expect(out).toBe('The motion was stopped. A motor is hot. Let it cool.\n');
});

test('the moves are listed, and one is played', async () => {
  const { out } = await called({ listMoves: moves }, (paths) => listMoves(paths, {}));
  expect(out).toBe('NAME   KIND     TAKES   DESCRIPTION\nyes    emotion  1.3 s   It nods.\nwaltz  dance    12.0 s  \n');
  expect(await called({ playMove: robot }, (paths) => play(paths, 'yes', {}))).toEqual({
    ...{ out: 'The robot plays yes.\n', calls: [['POST /api/robot/moves/yes/play', {}]] },
  });
});

test('a refusal of the daemon ends the command', async () => {
  await expect(called({}, (paths) => play(paths, 'yes', {}))).rejects.toThrow('Not now.');
});
