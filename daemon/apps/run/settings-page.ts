import { setTimeout as sleep } from 'node:timers/promises';
import type { SettingsPagePresence } from '../../contract/apps/app-slot.ts';
import type { SettingsPage } from '../../contract/apps/apps.ts';
import { knowsPortHolders, portHolder } from '../../shared/processes/port-holder.ts';

const LOOK_EVERY_MS = { comingUp: 250, thereafter: 2_000 };
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
    const pause = presence === 'waiting' ? LOOK_EVERY_MS.comingUp : LOOK_EVERY_MS.thereafter;
    await sleep(pause, null, { signal }).catch(() => {});
  }
}

/** Any answer will do: a page may be behind a redirect or a log-in of its own. Some servers know no HEAD. */
async function answers(page: SettingsPage, signal: AbortSignal): Promise<boolean> {
  return (await answersTo('HEAD', page, signal)) || (await answersTo('GET', page, signal));
}

/** At 127.0.0.1, where the link leads to; `localhost` may be found at ::1 alone. */
async function answersTo(method: 'HEAD' | 'GET', { port, path }: SettingsPage, signal: AbortSignal): Promise<boolean> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual', signal: inTime });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Looked up when the page comes up, and not while it stays. */
async function whose(
  port: number,
  before: SettingsPagePresence,
  isOfRun: (pid: number) => Promise<boolean>,
): Promise<SettingsPagePresence> {
  if (before === 'answers') return 'answers';
  const holder = await portHolder(port);
  const ours = holder ? await isOfRun(holder.pid) : !knowsPortHolders;
  return ours ? 'answers' : 'port-taken';
}
