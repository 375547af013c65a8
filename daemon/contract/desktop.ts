import * as z from 'zod';
import { named, namedStrictly, Timestamp } from './common/common.ts';
import { Transfer } from './common/progress.ts';

/** When the window closes, the program keeps running without it, or quits. `ask`: its user is asked. */
export const ClosingChoice = z.enum(['ask', 'keep-running', 'quit']);
export type ClosingChoice = z.infer<typeof ClosingChoice>;

/** How far the program is with a newer version of itself. Nothing is downloaded or installed without a request. */
export const DesktopUpdate = z
  .discriminatedUnion('state', [
    /** It is not looked for. `reason`: why it cannot be, in a sentence; null: switched off. */
    z.object({ state: z.literal('off'), reason: z.string().nullable() }),
    /** None is known. `lookedAt`: the last successful look; null: none yet. */
    z.object({ state: z.literal('none'), lookedAt: Timestamp.nullable() }),
    z.object({ state: z.literal('looking') }),
    /**
     * There is one. `by`: the program downloads it itself; a command for a terminal, which downloads, verifies and
     * installs it; or its user does all that, as with an archive.
     */
    z.object({
      state: z.literal('available'),
      version: z.string(),
      by: z.enum(['program', 'command', 'hand']),
      command: z.string().nullable(),
    }),
    z.object({ state: z.literal('downloading'), version: z.string(), transfer: Transfer }),
    /** Downloaded and verified. */
    z.object({ state: z.literal('ready'), version: z.string() }),
    /** The app stops and the robot folds; then the program is replaced, and starts again. */
    z.object({ state: z.literal('installing'), version: z.string() }),
    /** The step failed; the program stays as it is. */
    z.object({ state: z.literal('failed'), reason: z.string(), action: z.string() }),
  ])
  .meta({ id: 'DesktopUpdate' });
export type DesktopUpdate = z.infer<typeof DesktopUpdate>;

/** The desktop program around the daemon. */
export const DesktopStatus = named('DesktopStatus', {
  /** null: closing the window never quits on this system. */
  closing: ClosingChoice.nullable(),
  /** Why closing the window quits whatever is chosen, in a sentence: this desktop shows no tray. null: it shows one. */
  noTray: z.string().nullable(),
  opensAtLogin: z.boolean(),
  /** Whether it opens at login without its window. */
  opensHidden: z.boolean(),
  /** Whether it looks once a day for a newer version of itself. */
  looksForUpdates: z.boolean(),
  update: DesktopUpdate,
});
export type DesktopStatus = z.infer<typeof DesktopStatus>;

/** Settings to change; the others stay. */
export const DesktopChanges = namedStrictly('DesktopChanges', {
  closing: ClosingChoice.optional(),
  opensAtLogin: z.boolean().optional(),
  opensHidden: z.boolean().optional(),
  looksForUpdates: z.boolean().optional(),
});
export type DesktopChanges = z.infer<typeof DesktopChanges>;

/** `cancel` ends a download. `install` quits the program in order, and starts the newer one. */
export const UpdateStep = z.enum(['look', 'download', 'cancel', 'install']);
export type UpdateStep = z.infer<typeof UpdateStep>;
