import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppRun, RunOutputFile, RunOutputPage } from '../../../daemon/contract/apps/runs.ts';
import { createLatestLoad, type Loaded, load } from '../base/loaded.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface RunsSlice {
  /** The finished runs of an app, newest first, by its name. */
  readonly runs: Readonly<Record<string, Loaded<readonly AppRun[]>>>;
  /** The shown page of a run's output. */
  readonly runOutput: { readonly runId: string; readonly page: Loaded<ShownPage> } | null;
  readonly loadRuns: (appName: string) => Promise<void>;
  /** Loads a page of a run's output; by default the newest. */
  readonly loadRunOutput: (runId: string, query?: RunOutputQuery) => Promise<void>;
  /** Fetches everything that is kept of a run's output, or the lines that are looked for, as a file. @throws DaemonError */
  readonly fetchRunOutputFile: (runId: string, filter: LineQuery) => Promise<RunOutputFile>;
}

/** Selects lines: those with a text, or errors. */
export interface LineQuery {
  readonly text?: string;
  readonly errors?: boolean;
}

/** Selects lines of a run's output: a page of all or of some of them. */
export interface RunOutputQuery extends LineQuery {
  readonly after?: number;
  readonly before?: number;
}

/** A page with the query that selected it, which may no longer be the wanted one. */
type ShownPage = RunOutputPage & { readonly query: RunOutputQuery };

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
    fetchRunOutputFile: (runId, query) => daemon.call('getRunOutputFile', { params: { runId }, query }),
    loadRunOutput: (runId, query = {}) =>
      loadPage<ShownPage>(
        async (signal) => ({ ...(await daemon.call('getRunOutput', { params: { runId }, query, signal })), query }),
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
