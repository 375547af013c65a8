import type { AppInfo, AppStatus } from '../../contract/apps/aliases.ts';
import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';

/** The app that runs, or that ended by itself; null: neither, or it was stopped. */
export function appStatusOf(slot: AppSlotState, apps: readonly InstalledApp[]): AppStatus | null {
  const infoOf = (name: string) =>
    appInfoOf(
      name,
      apps.find((app) => app.name === name),
    );
  if (slot.state !== 'free') return { info: infoOf(holderName(slot.holder)), state: slot.state, error: null };
  const run = slot.lastRun;
  if (run?.outcome === 'finished') return { info: infoOf(run.appName), state: 'done', error: null };
  if (run?.outcome === 'crashed') return { info: infoOf(run.appName), state: 'error', error: run.message };
  return null;
}

/** @param app undefined: it is not installed, or not any more */
export function appInfoOf(name: string, app: InstalledApp | undefined): AppInfo {
  const page = app?.settingsPage;
  return {
    name,
    source_kind: 'installed',
    description: app?.description ?? '',
    url: null,
    extra: { custom_app_url: page ? `http://localhost:${page.port}${page.path}` : null },
  };
}

const holderName = (holder: SlotHolder) => (holder.kind === 'managed-app' ? holder.appName : holder.name);
