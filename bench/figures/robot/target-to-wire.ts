import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { connectRobotProgram } from '../../harness/robot-program.ts';
import { summary } from '../../harness/samples.ts';
import { startWireServos, type WireServos } from './wire-servos.ts';

/** One cycle of the control loop, plus 5 ms to receive the target. */
const AIM_MS = 25;
const LATE_MS = 5_000;
/** Small enough to be commanded in one cycle. */
const STEP_RAD = 0.05;
/** More than half a step of the servos' encoder. */
const TOLERANCE_RAD = 0.001;

/** The time that a target takes from a program to the servos' serial line. */
export const targetToWire: Figure = {
  name: 'target-to-wire',
  measures:
    "from a program's set_target to the last byte of the sync write that carries it, read at the other end of the serial port; at any moment of the loop's cycle",
  beside: null,
  measure: async ({ quick }) => {
    await using servos = await startWireServos();
    await using daemon = await startBenchDaemon(['--serial-port', servos.path]);
    await using program = await connectRobotProgram(daemon.url, 'bench');
    const takenMs: number[] = [];
    for (let turn = 0; turn <= (quick ? 5 : 500); turn++) {
      await sleep(40 + ((turn * 7.3) % 20));
      const angleRad = turn % 2 === 0 ? STEP_RAD : -STEP_RAD;
      const arrival = goalBecomes(servos, angleRad);
      const sentMs = performance.now();
      program.send({ type: 'set_target', antennas: [angleRad, 0] });
      const arrivedMs = await arrival;
      if (turn > 0) takenMs.push(arrivedMs - sentMs); // the first warms up
    }
    return [
      row('target-to-wire', 'ms', { ours: summary(takenMs), beside: null }, () => ({
        text: `p99 ≤ ${AIM_MS} ms`,
        mostAtP99: AIM_MS,
      })),
    ];
  },
};

/** Settles with the time at which the right antenna's goal arrives. @throws Error after 5 s */
function goalBecomes(servos: WireServos, angleRad: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const late = setTimeout(() => reject(new Error('A target did not reach the servos within 5 s.')), LATE_MS);
  const forget = servos.onGoals((goals, atMs) => {
    const goal = goals.get('right_antenna');
    if (goal !== undefined && Math.abs(goal - angleRad) < TOLERANCE_RAD) resolve(atMs);
  });
  return promise.finally(() => {
    clearTimeout(late);
    forget();
  });
}
