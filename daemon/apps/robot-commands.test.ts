import { expect, test } from 'vitest';
import type { CommandCaller } from '../robot/command-caller.ts';
import { MotionRefused } from '../robot/errors.ts';
import { RecordedMove } from '../robot/motions/recorded-move.ts';
import type { OwnMoves } from '../robot/own-moves.ts';
import type { Robot } from '../robot/robot.ts';
import { EventBus } from '../shared/async/event-bus.ts';
import { awakeRobot } from '../testing/awake-robot.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { AppLaunch } from './installed/app-launch.ts';
import { RobotCommands } from './robot-commands.ts';
import type { AppRunner } from './run/app-runner.ts';
import { AppSlot } from './run/app-slot.ts';
import { gracefulStop } from './run/process/stop-timeouts.ts';
import { RunUnderWay } from './run/run-under-way.ts';

const launch = { app: { name: 'dance', settingsPage: null } } as AppLaunch;
const caller: CommandCaller = { runToken: null, isOneOf: async () => false };

test('while an app starts, a caller that turns out to be another program is refused once the slot was taken', async () => {
  const slot = new AppSlot({ publish: () => {}, now: () => new Date(0) });
  const robot = { setTarget: () => ({ clamped: [], dropped: [] }) } as unknown as Robot;
  const ownMoves = {} as OwnMoves;
  const ours = { stopAsked: false, onStopAsked: () => () => {} };
  const running = { runOf: async (): ReturnType<AppRunner['runOf']> => null };
  const commands = new RobotCommands({ robot, slot, runner: running, ownMoves });
  expect(await commands.setTarget(caller, { bodyYaw: 0 })).toEqual({ clamped: [] });
  const lease = slot.take({ kind: 'managed-app', appName: 'dance', runId: '1' });
  await expect(commands.setTarget(caller, { bodyYaw: 0 })).rejects.toThrow(MotionRefused);
  running.runOf = async () => ours;
  expect(await commands.setTarget(caller, { bodyYaw: 0 })).toEqual({ clamped: [] });
  lease.release();
});

test('an app that moves the robot over HTTP is cut off at its stop: its motion ends, and it starts no other one', async () => {
  const { robot, loop } = await awakeRobot();
  const slot = new AppSlot({ publish: () => {}, now: () => new Date(0) });
  const run = new RunUnderWay({
    target: { appName: 'dance', find: () => launch },
    launch,
    occupy: (holder) => slot.take(holder),
    clock: manualClock(),
  });
  const nod = { timesS: Float64Array.of(0, 9), heads: null, antennas: Float64Array.of(0, 0, 1, 1), bodyYaws: null };
  const ownMoves = { get: async () => new RecordedMove(nod) } as unknown as OwnMoves;
  const runner = { runOf: async (program: CommandCaller) => ((await run.has(program)) ? run : null) };
  const commands = new RobotCommands({ robot, slot, runner, ownMoves });
  const app: CommandCaller = { runToken: run.token, isOneOf: async () => false };
  const options = { durationS: 10, method: 'linear', ifBusy: 'replace' } as const;
  const goto = await commands.startGoto(app, { bodyYaw: 1 }, options);
  const move = await commands.play(app, 'nod', 1);
  await loop.pass(0.2);
  run.stop(gracefulStop);
  expect(await loop.until(goto.ended)).toMatchObject({ outcome: 'stopped' });
  expect(await loop.until(move.ended)).toMatchObject({ outcome: 'stopped' });
  for (const again of [
    () => commands.startGoto(app, { bodyYaw: 1 }, options),
    () => commands.setTarget(app, { bodyYaw: 1 }),
    () => commands.play(app, 'nod', 1),
    () => commands.startSleep(app),
    () => commands.startWakeUp(app),
  ])
    await expect(again()).rejects.toThrow(
      new MotionRefused('This app was asked to stop. It no longer moves the robot.'),
    );
  await commands.setTorque(app, true);
  expect(robot.state.motion).toBeNull();
});

test('a fold of an app over HTTP ends at its stop, and the app no longer wakes a robot that sleeps', async () => {
  const { robot, loop } = await awakeRobot();
  const runner = {
    stopAsked: false,
    stops: new EventBus<void>(),
    onStopAsked: (listener: () => void) => runner.stops.subscribe(listener),
    runOf: async (program: CommandCaller) => (program === app ? runner : null),
  };
  const slot = new AppSlot({ publish: () => {}, now: () => new Date(0) });
  slot.take({ kind: 'managed-app', appName: 'dance', runId: '1' });
  const commands = new RobotCommands({ robot, slot, runner, ownMoves: {} as OwnMoves });
  const app: CommandCaller = { runToken: 'of the run', isOneOf: async () => false };
  const fold = await commands.startSleep(app);
  await loop.pass(0.2);
  runner.stops.publish();
  expect(await loop.until(fold.ended)).toMatchObject({ outcome: 'stopped' });
  expect(robot.state.state).toBe('awake');
  const folded = await commands.startSleep(app);
  await loop.until(folded.ended);
  runner.stopAsked = true;
  await expect(commands.startWakeUp(app)).rejects.toThrow(MotionRefused);
  expect(robot.state.state).toBe('asleep');
  await loop.until((await commands.startWakeUp(caller)).ended); // others may wake it
  expect(robot.state.state).toBe('awake');
});
