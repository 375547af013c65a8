import { setTimeout as sleep } from 'node:timers/promises';
import type { RobotJoints } from '../../../daemon/contract/robot/robot.ts';
import { ControlLoop } from '../../../daemon/robot/control-loop.ts';
import { EmulatedBus } from '../../../daemon/robot/emulator/emulated-bus.ts';
import { LiteBackend } from '../../../daemon/robot/lite/lite-backend.ts';
import { MoveSamples } from '../../../daemon/robot/motions/move-samples.ts';
import { Robot } from '../../../daemon/robot/robot.ts';
import type { RobotBackend } from '../../../daemon/robot/robot-backend.ts';
import { SimulationBackend } from '../../../daemon/robot/simulation/simulation-backend.ts';
import { systemClock } from '../../../daemon/shared/clock.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';
import { MemoryLine } from '../../../daemon/testing/daemon/memory-line.ts';
import { swingMove, swingTimeS } from './swing-move.ts';
import { benchHardware, goalsOf } from './wire-servos.ts';

const log = createLogger('error');

/** Plays a swing on a simulated robot. @returns the time of each command less the move's own time, ms */
export function simulatedDelaysMs(durationS: number): Promise<number[]> {
  return delaysMs(durationS, (onGoals) => new RecordingBackend(onGoals));
}

/** The same on a lite robot with emulated servos, without a serial port: when the bytes are written to the line. */
export function busDelaysMs(durationS: number): Promise<number[]> {
  const hardware = benchHardware();
  const bus = new EmulatedBus({ hardware, clock: systemClock, configuration: 'right' });
  return delaysMs(durationS, (onGoals) => {
    const line = async () =>
      new MemoryLine((packet) => {
        const goals = goalsOf(packet, hardware);
        if (goals) onGoals(goals.get('right_antenna') ?? 0, goals.get('left_antenna') ?? 0);
        return bus.answer(packet);
      });
    const findPorts = async () => ['memory'];
    return new LiteBackend({
      kind: 'lite',
      hardware,
      platform: process.platform,
      findPorts,
      openLine: line,
      simulator: null,
      clock: systemClock,
      log,
    });
  });
}

type OnGoals = (right: number, left: number) => void;

/** A simulated robot that tells the antennas of each command. */
class RecordingBackend extends SimulationBackend {
  readonly #onGoals: OnGoals;

  constructor(onGoals: OnGoals) {
    super();
    this.#onGoals = onGoals;
  }

  override async exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    const [right = 0, left = 0] = command.antennas;
    this.#onGoals(right, left);
    await super.exchange(command, elapsedS);
  }
}

async function delaysMs(durationS: number, backendOf: (onGoals: OnGoals) => RobotBackend): Promise<number[]> {
  const delays: number[] = [];
  let isRecording = false;
  const backend = backendOf((right, left) => {
    const timeS = isRecording ? swingTimeS(right, left, durationS) : null;
    if (timeS !== null) delays.push(performance.now() - timeS * 1000);
  });
  const robot = new Robot({ backend, loop: new ControlLoop(systemClock, log), publish: () => {}, log });
  robot.start({ wakeUp: true });
  while (robot.state.state !== 'awake') await sleep(100);
  const samples = new MoveSamples();
  for (const message of swingMove('swing', durationS)) samples.append(message);
  const { ended } = robot.play(samples.finished(), { initialGotoS: 1, ifBusy: 'replace', name: null });
  await sleep(2_000); // until the move has begun, and the code is compiled
  isRecording = true;
  await ended;
  isRecording = false;
  await robot.close();
  return delays;
}
