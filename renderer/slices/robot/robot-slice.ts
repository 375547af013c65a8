import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import type { RobotPose, RobotState } from '../../../daemon/contract/robot/robot.ts';
import type { Ask } from '../base/answers.ts';
import { type CommandsSlice, type SendCommand, withoutPending, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';
import { playCommand, type RobotCommand, robotCommands } from './robot-commands.ts';

export interface RobotSlice {
  /** null until the first snapshot. */
  readonly robot: RobotState | null;
  /** Changes up to 20 times a second: select it only to draw it. */
  readonly pose: RobotPose | null;
}

export const unknownRobot: RobotSlice = { robot: null, pose: null };

/** Names the question for the moves of the robot's own set. */
export const movesKey = ['moves'];
export const askMoves: Ask<readonly OwnMove[]> = (call, signal) => call('listMoves', { signal });

export type RobotCommandsSlice = ReturnType<typeof createRobotCommandsSlice>;

export const createRobotCommandsSlice = (send: SendCommand) => ({
  sendRobotCommand: (command: RobotCommand) => send<unknown>('robot', robotCommands[command], command),
  /** Plays a move of the robot's own set. */
  playMove: (name: string) =>
    send<unknown>('robot', (call) => call('playMove', { params: { name }, body: {} }), playCommand(name)),
});

export const robotReducers: Reducers<RobotSlice & CommandsSlice> = {
  snapshot: (before, { snapshot: { robot, pose } }) => ({ ...withRobotState(before, robot), pose }),
  'robot.changed': (before, { robot }) => withRobotState(before, robot),
  'robot.pose': (_, { pose }) => ({ pose }),
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'robot') : {}),
};

/** The robot is not connected, so its pose is the last known one. */
export const isDisconnected = ({ robot }: RobotSlice): boolean => robot !== null && !robot.connected;

/**
 * Drops refusals of robot commands when the robot starts a motion or recovers. A command is no longer pending once the
 * robot's state changes: its reply may come later than the event.
 */
function withRobotState(slice: RobotSlice & CommandsSlice, robot: RobotState): Partial<RobotSlice & CommandsSlice> {
  const before = slice.robot;
  const startsMotion = robot.state === 'waking' || robot.state === 'going-to-sleep';
  const hadProblem = before?.state === 'error' || before?.state === 'disconnected';
  const outdated = robot.state !== before?.state && (startsMotion || hadProblem);
  const confirmed = robot.state === before?.state ? slice : { ...slice, ...withoutPending(slice, 'robot') };
  return { robot, commands: confirmed.commands, ...(outdated && withoutRefusals(confirmed, 'robot')) };
}
