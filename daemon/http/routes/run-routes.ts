import type { AppOutput } from '../../apps/run/app-output.ts';
import type { AppRunner } from '../../apps/run/app-runner.ts';
import type { AppSlot } from '../../apps/run/app-slot.ts';
import type { RunHistory } from '../../apps/run/run-history.ts';
import { commandCaller } from '../security/command-caller.ts';
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
    startApp: ({ params, query }, { request }) => {
      const replace = query.replace ?? false;
      return runner.start(params.appName, { ...query, replace, caller: commandCaller(request) });
    },
    stopCurrentApp: ({ query }, { request }) =>
      runner.stop({ force: query.force ?? false, caller: commandCaller(request) }),
    restartCurrentApp: ({ query }, { request }) => runner.restart({ ...query, caller: commandCaller(request) }),
    getAppSlot: () => slot.state,
    getAppOutput: ({ query }) => output.page(query),
    listRuns: ({ query }) => history.list(query),
    listCrashes: () => history.crashes,
    markCrashSeen: ({ params }) => history.markSeen(params.runId),
    getRunOutput: ({ params, query }) => history.output(params.runId, query),
    getRunOutputFile: ({ params, query }) => history.outputFile(params.runId, query),
  } satisfies Partial<Routes>;
}
