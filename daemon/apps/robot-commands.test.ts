import { expect, test } from 'vitest';
import type { CommandCaller } from '../robot/command-caller.ts';
import { MotionRefused } from '../robot/errors.ts';
import type { OwnMoves } from '../robot/own-moves/own-moves.ts';
import type { Robot } from '../robot/robot.ts';
import { RobotCommands } from './robot-commands.ts';
import { AppSlot } from './run/app-slot.ts';

const caller: CommandCaller = { runToken: null, isOneOf: async () => false };

test('while an app starts, a caller that turns out to be another program is refused once the slot was taken', async () => {
  const slot = new AppSlot({ publish: () => {}, now: () => new Date(0) });
  const robot = { setTarget: () => ({ clamped: [], dropped: [] }) } as unknown as Robot;
  const ownMoves = {} as OwnMoves;
  const running = { isRunningApp: async () => false };
  const commands = new RobotCommands({ robot, slot, runner: running, ownMoves });
  expect(await commands.setTarget(caller, { bodyYaw: 0 })).toEqual({ clamped: [] });
  const lease = slot.take({ kind: 'managed-app', appName: 'dance', runId: '1' });
  await expect(commands.setTarget(caller, { bodyYaw: 0 })).rejects.toThrow(MotionRefused);
  running.isRunningApp = async () => true;
  expect(await commands.setTarget(caller, { bodyYaw: 0 })).toEqual({ clamped: [] });
  lease.release();
});
