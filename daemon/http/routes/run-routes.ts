import type { AppRunner } from '../../apps/run/app-runner.ts';
import type { AppSlot } from '../../apps/run/app-slot.ts';
import type { AppOutput } from '../../apps/run/output/app-output.ts';
import type { RunHistory } from '../../apps/run/run-history.ts';
import type { Routes } from './serve-operations.ts';

export interface RunServices {
  readonly runner: AppRunner;
  readonly history: RunHistory;
  readonly output: AppOutput;
  readonly slot: AppSlot;
}

/** The running app, and earlier runs. */
export function runRoutes({ runner, history, output, slot }: RunServices) {
  return {
    startApp: ({ params, query }) => runner.start(params.appName, { ...query, replace: query.replace ?? false }),
    stopCurrentApp: ({ query }) => runner.stop({ force: query.force ?? false }),
    restartCurrentApp: ({ query }) => runner.restart(query),
    getAppSlot: () => slot.state,
    getAppOutput: ({ query }) => output.page(query),
    listRuns: ({ query }) => history.list(query),
    listCrashes: () => history.crashes,
    markCrashSeen: ({ params }) => history.markSeen(params.runId),
    getRunOutput: ({ params, query }) => history.output(params.runId, query),
    getRunOutputFile: ({ params, query }) => history.outputFile(params.runId, query),
  } satisfies Partial<Routes>;
}
