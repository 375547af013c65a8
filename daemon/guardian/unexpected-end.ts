import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { AppName } from '../contract/apps/app-source.ts';
import { Timestamp } from '../contract/common/common.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { readPastRecords } from '../shared/files/stored-file.ts';
import type { Logger } from '../shared/logger.ts';

/**
 * How a rescue found and left the robot. `simulated`: it was none of hardware. `limp`: no motor held, so that there was
 * nothing to fold.
 */
export const RescuedRobot = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['folded', 'limp', 'simulated']) }),
  z.object({ state: z.literal('not-folded'), reason: z.string(), action: z.string().nullable() }),
]);
export type RescuedRobot = z.infer<typeof RescuedRobot>;

/** What a guardian did after a daemon had ended without folding the robot. */
export const UnexpectedEnd = z.object({
  at: Timestamp,
  /** The app that was running; null: none. */
  appName: AppName.nullable(),
  /** Whether all processes that the daemon had started are gone. */
  processesGone: z.boolean(),
  robot: RescuedRobot,
});
export type UnexpectedEnd = z.infer<typeof UnexpectedEnd>;

/** @throws DiskFull, DataFolderReadOnly */
export async function recordUnexpectedEnd(file: string, end: UnexpectedEnd): Promise<void> {
  await writeJsonFile(file, end);
}

/** Reads the record of a guardian, and removes it: it is told once. @returns null when the last daemon ended in order */
export async function takeUnexpectedEnd(file: string, log: Logger): Promise<UnexpectedEnd | null> {
  const end = await readPastRecords(file, UnexpectedEnd, log);
  if (end) {
    await rm(file, { force: true }).catch((error: Error) => log.warn(`${file} could not be removed: ${error.message}`));
  }
  return end;
}
