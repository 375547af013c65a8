import type { Logger } from '../../shared/logger.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { RUN_TOKEN_VARIABLE } from './app-process.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { watchSettingsPage } from './settings-page.ts';

/** Follows the own page of a run's app, where it has one, and tells the slot. @returns a function that ends it */
export function watchPageOfRun({ app, token, lease }: RunUnderWay, log: Logger): () => void {
  const page = app.settingsPage;
  if (!page) return () => {};
  const ended = new AbortController();
  const isOfRun = async (pid: number) => (await processesWithEnvironment(RUN_TOKEN_VARIABLE, token)).includes(pid);
  lease.update({ settingsPage: 'waiting' });
  watchSettingsPage({
    page,
    isOfRun,
    onChange: (settingsPage) => lease.update({ settingsPage }),
    signal: ended.signal,
  }).catch((error: unknown) => log.error(`apps: the page of ${app.name} could not be watched`, error));
  return () => ended.abort();
}
