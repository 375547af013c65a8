import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmulatedBus } from '../../daemon/robot/emulator/emulated-bus.ts';
import { PseudoTerminal } from '../../daemon/robot/emulator/pseudo-terminal.ts';
import { INSTRUCTION, type Packet, PacketReader } from '../../daemon/robot/lite/dynamixel.ts';
import { type Hardware, readHardware } from '../../daemon/robot/lite/hardware.ts';
import { readNumber, registers, stepsFromRad } from '../../daemon/robot/lite/registers.ts';
import { childEnvironment } from '../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { registerCleanup } from '../harness/cleanup.ts';
import { type Figure, row } from '../harness/figure.ts';
import { systemPython } from '../harness/python.ts';
import { connectRobotProgram } from '../harness/robot-program.ts';
import { summary } from '../harness/samples.ts';

/** One cycle of the control loop, plus 5 ms to receive the target. */
const AIM_MS = 25;
const LATE_MS = 5_000;
/** Small enough to be commanded in one cycle. */
const STEP_RAD = 0.05;

/** The time that a target takes from a program to the servos' serial line. */
export const targetToWire: Figure = {
  name: 'target-to-wire',
  measures:
    "from a program's set_target to the last byte of the sync write that carries it, read at the other end of the serial port; at any moment of the loop's cycle",
  beside: null,
  measure: async ({ quick }) => {
    await using servos = await startServos();
    await using daemon = await startBenchDaemon(['--serial-port', servos.path]);
    await using program = await connectRobotProgram(daemon.url, 'bench');
    const takenMs: number[] = [];
    for (let turn = 0; turn <= (quick ? 5 : 500); turn++) {
      await sleep(40 + ((turn * 7.3) % 20));
      const angleRad = turn % 2 === 0 ? STEP_RAD : -STEP_RAD;
      const arrival = servos.goalBecomes(stepsFromRad(angleRad));
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

interface Servos extends AsyncDisposable {
  readonly path: string;
  /** Settles with the time at which the right antenna's goal arrives. @throws Error after 5 s */
  goalBecomes(steps: number): Promise<number>;
}

/** Runs the emulated servos in this process, so that they share its clock. */
async function startServos(): Promise<Servos> {
  const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
  const bus = new EmulatedBus({ hardware, nowMs: () => performance.now(), configuration: 'right' });
  const reader = new PacketReader();
  const waiting = new Map<number, (atMs: number) => void>();
  const terminal = new PseudoTerminal({
    python: (await systemPython()).executable,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    environment: childEnvironment(process.env, ''),
    onData: (bytes) => {
      const atMs = performance.now();
      for (const packet of reader.push(bytes)) {
        const goal = rightAntennaGoal(packet, hardware);
        if (goal !== null) waiting.get(goal)?.(atMs);
        const reply = bus.answer(packet);
        if (reply.length > 0) terminal.write(reply);
      }
    },
  });
  const end = registerCleanup(() => terminal.close());
  await terminal.ready;
  return {
    path: terminal.path ?? '',
    goalBecomes: (steps) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const late = setTimeout(() => reject(new Error('A target did not reach the servos within 5 s.')), LATE_MS);
      waiting.set(steps, resolve);
      return promise.finally(() => {
        clearTimeout(late);
        waiting.delete(steps);
      });
    },
    ...end,
  };
}

/** The right antenna's target in a sync write, in steps; null: none. */
function rightAntennaGoal({ instruction, parameters }: Packet, { motors }: Hardware): number | null {
  const { address, bytes } = registers.goalPosition;
  if (instruction !== INSTRUCTION.syncWrite || (parameters[0] ?? 0) + (parameters[1] ?? 0) * 256 !== address)
    return null;
  const id = motors.find(({ name }) => name === 'right_antenna')?.id;
  for (let at = 4; at + bytes < parameters.length; at += bytes + 1) {
    if (parameters[at] === id) return readNumber(parameters.subarray(at + 1), registers.goalPosition);
  }
  return null;
}
