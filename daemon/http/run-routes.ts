import type { Router } from 'express';
import type { AppOutput } from '../apps/run/app-output.ts';
import type { AppRunner } from '../apps/run/app-runner.ts';
import type { AppSlot } from '../apps/run/app-slot.ts';
import type { RunHistory } from '../apps/run/run-history.ts';
import { serve } from './serve.ts';

export interface RunServices {
  readonly runner: AppRunner;
  readonly history: RunHistory;
  readonly output: AppOutput;
  readonly slot: AppSlot;
}

/** The one app that runs, and those that ran before. */
export function runRoutes(router: Router, { runner, history, output, slot }: RunServices): void {
  serve(router, 'startApp', ({ params, query }) => runner.start(params.appName, { replace: query.replace ?? false }));
  serve(router, 'stopCurrentApp', ({ query }) => runner.stop({ force: query.force ?? false }));
  serve(router, 'restartCurrentApp', () => runner.restart());
  serve(router, 'getAppSlot', () => slot.state);
  serve(router, 'getAppOutput', ({ query }) => output.page(query.after));
  serve(router, 'listRuns', ({ query }) => history.list(query));
  serve(router, 'getRunOutput', ({ params, query }) => history.page(params.runId, query.after));
}
