import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { MotorName } from '../../contract/robot/robot.ts';
import { motorNames } from '../motors.ts';

const UsbId = z.string().regex(/^[0-9a-f]{4}$/, 'four hexadecimal digits in lower case');

const MotorHardware = z.strictObject({
  name: MotorName,
  id: z.int().min(1).max(252),
  /** Encoder steps, like the next two; 4096 are a turn. */
  homingOffset: z.int(),
  minPosition: z.int().min(0).max(4095),
  maxPosition: z.int().min(0).max(4095),
  /** The gains of its position control. */
  p: z.int().min(0).max(16_383),
  i: z.int().min(0).max(16_383),
  d: z.int().min(0).max(16_383),
});
export type MotorHardware = z.infer<typeof MotorHardware>;

/** The hardware of the lite robot, from `assets/hardware/lite.json`. */
export const Hardware = z
  .strictObject({
    usb: z.strictObject({ vendorId: UsbId, productId: UsbId }),
    baudRate: z.int().positive(),
    /** Below this voltage the servos are not ready, as their supply is still starting up. */
    minStartVoltageV: z.number(),
    /** The servos report their normal supply as a fault; up to this voltage it is hidden. */
    voltageFaultHiddenAtOrBelowV: z.number(),
    motors: z.array(MotorHardware).length(motorNames.length),
    /** In units of 2 µs. */
    returnDelayTime: z.int().min(0).max(254),
    operatingMode: z.int(),
    /** The faults on which a servo shuts down, as bits of `hardwareErrorStatus`. */
    shutdownMask: z.int().min(0).max(255),
  })
  .refine(({ motors }) => motors.every(({ name }, index) => name === motorNames[index]), {
    message: 'the motors are not in the order of the bus',
  })
  .refine(({ motors }) => new Set(motors.map(({ id }) => id)).size === motors.length, {
    message: 'two motors have the same id',
  });

export type Hardware = z.infer<typeof Hardware>;

/** @throws Error when the file is missing or invalid, which means that the installation is damaged */
export function readHardware(file: string): Hardware {
  return Hardware.parse(JSON.parse(readFileSync(file, 'utf8')));
}
