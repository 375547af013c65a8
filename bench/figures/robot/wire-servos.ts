import { join } from 'node:path';
import type { MotorName } from '../../../daemon/contract/robot/robot.ts';
import { EmulatedBus } from '../../../daemon/robot/emulator/emulated-bus.ts';
import { PseudoTerminal } from '../../../daemon/robot/emulator/pseudo-terminal.ts';
import { INSTRUCTION, type Packet, PacketReader } from '../../../daemon/robot/lite/dynamixel.ts';
import { type Hardware, readHardware } from '../../../daemon/robot/lite/hardware.ts';
import { radFromSteps, readNumber, registers } from '../../../daemon/robot/lite/registers.ts';
import { systemClock } from '../../../daemon/shared/clock.ts';
import { childEnvironment } from '../../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { systemPython } from '../../harness/python.ts';

/** The goals of a sync write, in radians. */
export type Goals = ReadonlyMap<MotorName, number>;

/** Emulated servos on a serial port. They run in the bench's process, and share its clock. */
export interface WireServos extends AsyncDisposable {
  readonly path: string;
  /** Calls back with each sync write of goals and its time on `performance`. @returns a function that unsubscribes */
  onGoals(listener: (goals: Goals, atMs: number) => void): () => void;
}

export const benchHardware = (): Hardware => readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));

/** @throws NotMeasurable without Python */
export async function startWireServos(): Promise<WireServos> {
  const hardware = benchHardware();
  const bus = new EmulatedBus({ hardware, clock: systemClock, configuration: 'right' });
  const reader = new PacketReader();
  const listeners = new Set<(goals: Goals, atMs: number) => void>();
  const terminal = new PseudoTerminal({
    python: (await systemPython()).executable,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    environment: childEnvironment(process.env, ''),
    clock: systemClock,
    onData: (bytes) => {
      const atMs = performance.now();
      for (const packet of reader.push(bytes)) {
        const goals = goalsOf(packet, hardware);
        if (goals) for (const listener of listeners) listener(goals, atMs);
        const reply = bus.answer(packet);
        if (reply.length > 0) terminal.write(reply);
      }
    },
  });
  const end = registerCleanup(() => terminal.close());
  await terminal.ready;
  return {
    path: terminal.path ?? '',
    onGoals: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...end,
  };
}

/** The goals of a packet; null: it carries none. */
export function goalsOf({ instruction, parameters }: Packet, { motors }: Hardware): Goals | null {
  const { address, bytes } = registers.goalPosition;
  if (instruction !== INSTRUCTION.syncWrite || (parameters[0] ?? 0) + (parameters[1] ?? 0) * 256 !== address)
    return null;
  const goals = new Map<MotorName, number>();
  for (let at = 4; at + bytes < parameters.length; at += bytes + 1) {
    const motor = motors.find(({ id }) => id === parameters[at]);
    if (motor) goals.set(motor.name, radFromSteps(readNumber(parameters.subarray(at + 1), registers.goalPosition)));
  }
  return goals;
}
