import * as z from 'zod';
import { AppName } from '../contract/apps/app-source.ts';
import { Timestamp } from '../contract/common/common.ts';

/**
 * How a rescue found and left the robot. `simulated`: it was none of hardware. `limp`: no motor held, so that there was
 * nothing to fold.
 */
export const RescuedRobot = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['folded', 'limp', 'simulated']) }),
  z.object({ state: z.literal('not-folded'), reason: z.string(), action: z.string().nullable() }),
]);
export type RescuedRobot = z.infer<typeof RescuedRobot>;

/** The record of a guardian whose daemon had ended without folding the robot. */
export const UnexpectedEnd = z.object({
  at: Timestamp,
  /** The app that was running; null: none. */
  appName: AppName.nullable(),
  /** Whether all processes and containers that the daemon had started are gone. */
  processesGone: z.boolean(),
  robot: RescuedRobot,
});
export type UnexpectedEnd = z.infer<typeof UnexpectedEnd>;
