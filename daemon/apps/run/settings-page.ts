import type { SettingsPagePresence } from '../../contract/apps/app-slot.ts';
import type { SettingsPage } from '../../contract/apps/apps.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { knowsPortHolders, portHolder } from '../../shared/processes/port-holder.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { RUN_TOKEN_VARIABLE } from './process/app-process.ts';
import type { RunUnderWay } from './run-under-way.ts';

const POLL_EVERY_MS = { waiting: 250, present: 2_000 };
const ANSWER_WITHIN_MS = 1_000;

/**
 * Watches the settings page of a run's app, if any, which appears some time after the start and may disappear again.
 * @returns a function that ends the watch
 */
export function watchSettingsPage(clock: Clock, run: RunUnderWay, log: Logger): () => void {
  const page = run.app.settingsPage;
  if (!page) return () => {};
  const ended = new AbortController();
  run.pageIs('waiting');
  watch(clock, run, page, ended.signal).catch((error: unknown) =>
    log.error(`apps: the settings page of ${run.app.name} could not be watched`, error),
  );
  return () => ended.abort();
}

async function watch(clock: Clock, run: RunUnderWay, page: SettingsPage, signal: AbortSignal): Promise<void> {
  let presence: SettingsPagePresence = 'waiting';
  while (!signal.aborted) {
    const next: SettingsPagePresence = (await answers(clock, page, signal))
      ? await presenceOf(page.port, presence, run.token)
      : 'waiting';
    if (signal.aborted) return;
    if (next !== presence) run.pageIs(next);
    presence = next;
    const pause = presence === 'waiting' ? POLL_EVERY_MS.waiting : POLL_EVERY_MS.present;
    await sleepOn(clock, pause, signal).catch(() => {});
  }
}

/** Any answer counts: the page may redirect or require a log-in. Some servers do not support HEAD. */
async function answers(clock: Clock, page: SettingsPage, signal: AbortSignal): Promise<boolean> {
  const within = () => AbortSignal.any([signal, clock.timeout(ANSWER_WITHIN_MS)]);
  return (await answersTo('HEAD', page, within())) || (await answersTo('GET', page, within()));
}

/** Asks 127.0.0.1, the address of the link; `localhost` may resolve to ::1 only. */
async function answersTo(method: 'HEAD' | 'GET', { port, path }: SettingsPage, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual', signal });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Checks the owner of the page when it appears, and not while it stays: another program may have its port. */
async function presenceOf(port: number, before: SettingsPagePresence, token: string): Promise<SettingsPagePresence> {
  if (before === 'answers') return 'answers';
  const holder = await portHolder(port);
  const ours = holder
    ? (await processesWithEnvironment(RUN_TOKEN_VARIABLE, token)).includes(holder.pid)
    : !knowsPortHolders;
  return ours ? 'answers' : 'port-taken';
}
