import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppCrash, AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { SendCommand } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export interface CrashesSlice {
  /** Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first. */
  readonly crashes: readonly AppCrash[];
  readonly markCrashSeen: (runId: string) => Promise<unknown>;
}

export function createCrashesSlice(send: SendCommand, daemon: DaemonClient): CrashesSlice {
  return {
    crashes: [],
    markCrashSeen: (runId) => send(`crash ${runId}`, () => daemon.call('markCrashSeen', { params: { runId } })),
  };
}

export const crashesReducers: Reducers<CrashesSlice> = {
  snapshot: (_, { snapshot: { crashes } }) => ({ crashes }),
  'app-crashes.changed': (_, { crashes }) => ({ crashes }),
};

/** Selects the crash of an app that is to be shown with the app; null: none. */
export const crashOfApp =
  (appName: string) =>
  ({ crashes }: CrashesSlice): AppCrash | null =>
    crashes.find(({ run }) => run.appName === appName) ?? null;

/** Selects the crash of an app that nobody has seen; null: none. */
export const unseenCrashOfApp =
  (appName: string) =>
  (slice: CrashesSlice): AppRun | null => {
    const crash = crashOfApp(appName)(slice);
    return crash && !crash.seen ? crash.run : null;
  };
