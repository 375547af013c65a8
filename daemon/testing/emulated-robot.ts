import { join } from 'node:path';
import { ServoEmulator } from '../robot/emulator/servo-emulator.ts';
import { readHardware } from '../robot/lite/hardware.ts';
import { LiteMotor, STATUS } from '../robot/lite/lite-motor.ts';
import { openSerialLine } from '../robot/lite/serial-line.ts';
import { ServoBus } from '../robot/lite/servo-bus.ts';
import { sleepJoints } from '../robot/motions/posture.ts';
import { joined } from '../robot/motors.ts';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';

const assetsDir = join(import.meta.dirname, '..', '..', 'assets');
const hardware = readHardware(join(assetsDir, 'hardware', 'lite.json'));
/** A pseudo-terminal has no speed; macOS refuses those that are not among the classic ones. */
const baudRate = process.platform === 'darwin' ? 115_200 : hardware.baudRate;
/** Tolerance for being folded, per joint: see `ARRIVED_RAD` of the joint drive. */
const FOLDED_RAD = 0.05;

/** A robot of emulated servos that belongs to the test, so that it outlives a daemon, as a real one does. */
export interface EmulatedRobot extends AsyncDisposable {
  /** For `--serial-port`. */
  readonly port: string;
  /** Plugs its cable in, or out. It may get another port. */
  setPluggedIn(isPluggedIn: boolean): void;
  /** Asks the servos themselves, over the port that nobody else may have open. */
  look(): Promise<{ readonly holding: number; readonly isFolded: boolean }>;
}

export async function startEmulatedRobot(): Promise<EmulatedRobot> {
  const emulator = new ServoEmulator({
    hardware,
    program: join(assetsDir, 'emulator', 'pseudo_terminal.py'),
    python: async () => 'python3',
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    clock: systemClock,
    log: createLogger('error'),
  });
  await emulator.start();
  const { path: port } = emulator;
  if (port === null) throw new Error('The emulated robot has no port.');
  return {
    port,
    setPluggedIn: (isPluggedIn) => emulator.simulator.setFaults(isPluggedIn ? [] : [{ kind: 'unplugged' }]),
    look: () => look(port),
    [Symbol.asyncDispose]: () => emulator.stop(),
  };
}

async function look(port: string): Promise<{ holding: number; isFolded: boolean }> {
  const line = await openSerialLine(systemClock, port, baudRate, AbortSignal.timeout(10_000));
  try {
    const bus = new ServoBus(line, { baudRate, answerMs: 50, clock: systemClock });
    const all = await bus.readAll(
      hardware.motors.map(({ id }) => id),
      STATUS,
    );
    const motors = hardware.motors.map((motor) => {
      const read = new LiteMotor(motor, hardware, 0);
      read.takeStatus(all.get(motor.id) as Uint8Array);
      return read;
    });
    const asleep = joined(sleepJoints);
    return {
      holding: motors.filter(({ torque }) => torque).length,
      isFolded: motors.every(
        ({ positionRad }, index) => Math.abs(positionRad - (asleep[index] as number)) <= FOLDED_RAD,
      ),
    };
  } finally {
    await line.close();
  }
}
