import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { MotorName } from '../../contract/robot/robot.ts';
import { ServoEmulator } from '../../robot/emulator/servo-emulator.ts';
import { readHardware } from '../../robot/lite/hardware.ts';
import { LiteMotor, STATUS } from '../../robot/lite/lite-motor.ts';
import { openSerialLine } from '../../robot/lite/serial-line.ts';
import { ServoBus } from '../../robot/lite/servo-bus.ts';
import { sleepJoints } from '../../robot/motions/posture.ts';
import { jointsFrom, largestDifference } from '../../robot/motors.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { projectDir } from '../daemon/test-daemon.ts';

const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
/** Generous: a whole test run may keep the machine busy. */
const ANSWER_MS = 500;

/** What the servos' own registers say. */
export interface ServoReport {
  /** The motors whose torque is on. */
  readonly holding: readonly MotorName[];
  /** The greatest distance of a joint from the sleep position, radians. */
  readonly fromSleepRad: number;
}

/** The robot's servos, emulated in this process behind a serial port: they outlive the daemon that uses them. */
export interface ServosOnAPort extends AsyncDisposable {
  /** For `--serial-port`. */
  readonly path: string;
  /** Reads the registers over the port. @throws PortError while another program has it open */
  report(): Promise<ServoReport>;
}

/** @throws PseudoTerminalFailed */
export async function startServosOnAPort(): Promise<ServosOnAPort> {
  const emulator = new ServoEmulator({
    hardware,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    python: async () => 'python3',
    childEnvironment: () => childEnvironment(process.env, randomUUID()),
    nowMs: () => performance.now(),
    log: createLogger('error'),
  });
  await emulator.start();
  const path = emulator.path as string;
  return { path, report: () => reportOf(path), [Symbol.asyncDispose]: () => emulator.stop() };
}

async function reportOf(path: string): Promise<ServoReport> {
  const { baudRate, motors } = hardware;
  const line = await openSerialLine(path, baudRate, new AbortController().signal);
  try {
    const answers = await new ServoBus(line, { baudRate, answerMs: ANSWER_MS }).readAll(
      motors.map(({ id }) => id),
      STATUS,
    );
    const read = motors.map((motor) => {
      const servo = new LiteMotor(motor, hardware, 0);
      servo.takeStatus(answers.get(motor.id) as Uint8Array);
      return servo;
    });
    return {
      holding: read.filter(({ torque }) => torque).map(({ name }) => name),
      fromSleepRad: largestDifference(jointsFrom(read.map(({ positionRad }) => positionRad)), sleepJoints),
    };
  } finally {
    await line.close();
  }
}
