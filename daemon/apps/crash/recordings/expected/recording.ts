import type { CrashCause } from '../../../../contract/apps/diagnosis.ts';

/** A recording, and what its diagnosis holds: the cause, the app's own line, and a piece of the message. */
export type Recording = readonly [name: string, cause: CrashCause, own: string | null, piece: string];
