import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppRun, OutputPage } from '../../../daemon/contract/apps/runs.ts';
import { createLatestLoad, type Loaded, load } from '../base/loaded.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface RunsSlice {
  /** The finished runs of an app, newest first, by its name. */
  readonly runs: Readonly<Record<string, Loaded<readonly AppRun[]>>>;
  /** The shown page of a finished run's output. */
  readonly runOutput: { readonly runId: string; readonly page: Loaded<OutputPage> } | null;
  readonly loadRuns: (appName: string) => Promise<void>;
  /** Loads the lines after that number; without one, the newest page. */
  readonly loadRunOutput: (runId: string, after?: number) => Promise<void>;
}

/** The number of runs loaded per app. */
export const LISTED_RUNS = 50;

export function createRunsSlice(set: SetState<RunsSlice>, daemon: DaemonClient): RunsSlice {
  const loadPage = createLatestLoad();
  return {
    runs: {},
    runOutput: null,
    loadRuns: (appName) =>
      load<readonly AppRun[]>(
        () => daemon.call('listRuns', { query: { app: appName, limit: LISTED_RUNS } }),
        (next) => set(({ runs }) => ({ runs: { ...runs, [appName]: next(runs[appName]) } })),
      ),
    loadRunOutput: (runId, after) =>
      loadPage<OutputPage>(
        (signal) => daemon.call('getRunOutput', { params: { runId }, query: { after }, signal }),
        (next) =>
          set(({ runOutput }) => ({
            runOutput: { runId, page: next(runOutput?.runId === runId ? runOutput.page : null) },
          })),
      ),
  };
}

export const runsReducers: Reducers<RunsSlice> = {
  /** Adds the run to its app's list, if that is loaded. */
  'app-run.ended': ({ runs }, { run }) => {
    const list = runs[run.appName];
    if (!list?.value || list.value.some(({ runId }) => runId === run.runId)) return {};
    return { runs: { ...runs, [run.appName]: { ...list, value: [run, ...list.value].slice(0, LISTED_RUNS) } } };
  },
};
