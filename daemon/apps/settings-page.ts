import { setTimeout as sleep } from 'node:timers/promises';
import type { SettingsPage, SettingsPagePresence } from '../contract/apps.ts';
import { portHolder } from '../shared/port-holder.ts';

const LOOK_EVERY_MS = { comingUp: 250, up: 2_000 };
const ANSWER_WITHIN_MS = 1_000;

/**
 * Watches the page of a running app, which comes up some time after the app and may go again.
 * @param watch.isOfRun whether a process belongs to the run; another's page at this port is not shown as the app's
 * @param watch.signal ends the watch
 */
export async function watchSettingsPage(watch: {
  page: SettingsPage;
  isOfRun: (pid: number) => Promise<boolean>;
  onChange: (presence: SettingsPagePresence) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { page, isOfRun, onChange, signal } = watch;
  let presence: SettingsPagePresence = 'waiting';
  while (!signal.aborted) {
    const next: SettingsPagePresence = (await answers(page, signal))
      ? await whose(page.port, presence, isOfRun)
      : 'waiting';
    if (signal.aborted) return;
    if (next !== presence) onChange(next);
    presence = next;
    await sleep(presence === 'answers' ? LOOK_EVERY_MS.up : LOOK_EVERY_MS.comingUp, null, { signal }).catch(() => {});
  }
}

/** Any answer will do: a page may be behind a redirect or a log-in of its own. */
async function answers({ port, path }: SettingsPage, signal: AbortSignal): Promise<boolean> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  return fetch(`http://localhost:${port}${path}`, { method: 'HEAD', redirect: 'manual', signal: within }).then(
    () => true,
    () => false,
  );
}

/** Looked up when the page comes up, and not while it stays. */
async function whose(
  port: number,
  before: SettingsPagePresence,
  isOfRun: (pid: number) => Promise<boolean>,
): Promise<SettingsPagePresence> {
  if (before === 'answers') return 'answers';
  const holder = await portHolder(port);
  return holder === null || (await isOfRun(holder.pid)) ? 'answers' : 'port-taken';
}
