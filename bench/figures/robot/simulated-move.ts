import { setTimeout as sleep } from 'node:timers/promises';
import type { RobotJoints } from '../../../daemon/contract/robot/robot.ts';
import { ControlLoop } from '../../../daemon/robot/control-loop.ts';
import { MoveSamples } from '../../../daemon/robot/motions/move-samples.ts';
import { Robot } from '../../../daemon/robot/robot.ts';
import { SimulationBackend } from '../../../daemon/robot/simulation/simulation-backend.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';

/** The angle of the right antenna is the time of the move in a unit of this many seconds a radian. */
const S_RAD = 10;
const SAMPLE_S = 0.01;

/** A simulated robot that notes the right antenna of each command, with the time on `performance`. */
class RecordingBackend extends SimulationBackend {
  readonly commands: { readonly angleRad: number; readonly atMs: number }[] = [];

  override async exchange(command: RobotJoints, elapsedS: number): Promise<void> {
    this.commands.push({ angleRad: command.antennas[0] ?? 0, atMs: performance.now() });
    await super.exchange(command, elapsedS);
  }
}

/** Plays a move of all parts on a simulated robot. @returns the time of each command less the move's own time, ms */
export async function simulatedDelaysMs(durationS: number): Promise<number[]> {
  const backend = new RecordingBackend();
  const log = createLogger('error');
  const robot = new Robot({ backend, loop: new ControlLoop(log), publish: () => {}, log });
  robot.start({ wakeUp: true });
  while (robot.state.state !== 'awake') await sleep(100);
  const samples = new MoveSamples();
  const timesS = Array.from({ length: Math.round(durationS / SAMPLE_S) }, (_, index) => index * SAMPLE_S);
  samples.append({
    timesS,
    heads: timesS.map((timeS) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01 * Math.sin(timeS), 0, 0, 0, 1]),
    antennas: timesS.map((timeS) => [timeS / S_RAD, 0]),
    bodyYaws: timesS.map((timeS) => 0.3 * Math.sin(timeS)),
  });
  const { ended } = robot.play(samples.finished(), { initialGotoS: 1, ifBusy: 'replace', name: null });
  await sleep(1_500); // until the move has begun, and the code is compiled
  backend.commands.length = 0;
  await ended;
  const delaysMs = backend.commands.map(({ angleRad, atMs }) => atMs - angleRad * S_RAD * 1000);
  await robot.close();
  return delaysMs.slice(0, -2); // the last commands are those of its end
}
