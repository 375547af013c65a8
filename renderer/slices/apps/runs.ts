import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { type AnswersSlice, withAnswer } from '../base/answers.ts';
import type { Reducers } from '../base/slice.ts';

/** The number of runs loaded per app. */
export const LISTED_RUNS = 50;

/** Names the finished runs of an app, newest first. */
export const runsKey = (appName: string) => ['runs', appName];

export const runsReducers: Reducers<AnswersSlice> = {
  /** Adds the run to its app's list, if that is loaded. */
  'app-run.ended': (before, { run }) =>
    withAnswer<readonly AppRun[]>(before, runsKey(run.appName), (runs) =>
      runs.some(({ runId }) => runId === run.runId) ? runs : [run, ...runs].slice(0, LISTED_RUNS),
    ),
};
