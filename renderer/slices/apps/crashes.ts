import type { AppCrash, AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { ReportedSlice } from '../daemon/reported-slice.ts';

/** Selects the crash of an app that is to be shown with the app; null: none. */
export const crashOfApp =
  (appName: string) =>
  ({ crashes }: Pick<ReportedSlice, 'crashes'>): AppCrash | null =>
    crashes.find(({ run }) => run.appName === appName) ?? null;

/** Selects the crash of an app that nobody has seen; null: none. */
export const unseenCrashOfApp =
  (appName: string) =>
  (slice: Pick<ReportedSlice, 'crashes'>): AppRun | null => {
    const crash = crashOfApp(appName)(slice);
    return crash && !crash.seen ? crash.run : null;
  };
