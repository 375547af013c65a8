import * as z from 'zod';

/** The daemon that a guardian guards, with all that a rescue needs to know of the program. */
export const Assignment = z.object({
  dataDir: z.string().min(1),
  /** The process that hosts the daemon. */
  pid: z.int().min(2),
  /** See `startTimes`; null where it takes long to read. */
  startTime: z.string().nullable(),
  /** The file of its program, where that is a browser with a window; null: a daemon without one. */
  program: z.string().nullable(),
  robot: z.enum(['auto', 'lite', 'simulation', 'emulator']),
  /** The serial port of the robot's servos; null: found by its USB id. */
  serialPort: z.string().nullable(),
  /** The content of `assets/hardware/lite.json`: the file may be gone when it is needed. */
  hardware: z.unknown(),
});
export type Assignment = z.infer<typeof Assignment>;
