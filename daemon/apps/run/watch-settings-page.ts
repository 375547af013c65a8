import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { RUN_TOKEN_VARIABLE } from './process/app-process.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { watchSettingsPage } from './settings-page.ts';

/** Watches the settings page of a run's app, if any, and updates the slot. @returns a function that ends the watch */
export function watchSettingsPageOfRun(clock: Clock, run: RunUnderWay, log: Logger): () => void {
  const { app, token } = run;
  const page = app.settingsPage;
  if (!page) return () => {};
  const ended = new AbortController();
  const isOfRun = async (pid: number) => (await processesWithEnvironment(RUN_TOKEN_VARIABLE, token)).includes(pid);
  run.pageIs('waiting');
  watchSettingsPage({
    clock,
    page,
    isOfRun,
    onChange: (settingsPage) => run.pageIs(settingsPage),
    signal: ended.signal,
  }).catch((error: unknown) => log.error(`apps: the settings page of ${app.name} could not be watched`, error));
  return () => ended.abort();
}
