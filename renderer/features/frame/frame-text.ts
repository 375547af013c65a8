import type { Connection } from '../../api/daemon-events.ts';

export type Absent = Extract<Connection, { phase: 'silent' | 'lost' }>;

export const absentTitle = 'The daemon does not answer.';
export const signedOutTitle = 'You are signed out, so the daemon does not answer.';

/** Why the daemon does not answer, as far as that is known. */
export function absentText({ phase, lastSeen }: Absent): string {
  if (phase === 'lost') return 'It may have been stopped.';
  if (lastSeen !== null) return 'It runs, but it hangs or is overloaded.';
  // A browser keeps the seventh connection to the same address waiting.
  return 'It hangs or is overloaded, or this browser shows more than six pages of it at once.';
}

/** How old the page is, and when it goes on. */
export const lastUpdateText = (lastSeen: number, isSignedOut: boolean): string =>
  `Last update at ${new Date(lastSeen).toLocaleTimeString()}; this page goes on once ${isSignedOut ? 'you are signed in' : 'it answers'}.`;

/** Where the page cannot start the daemon. @param hangs whether it still runs */
export const startItText = (hangs: boolean): string =>
  hangs
    ? 'If it stays like this, end it, then start it the way it was started.'
    : 'Start it the way it was started: this page cannot.';

export const dialogNotLoadedText = 'This dialog could not be loaded.';
export const signInNotLoadedText = 'The form to sign in could not be loaded.';

export const nothingSavedText = 'Nothing can be saved, and no app can start.';
