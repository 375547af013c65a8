import { useContext, useEffect, useState } from 'react';
import { waitingCommands } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import type { Dashboard } from '../../store/dashboard-store.ts';
import { DashboardContext, useDashboard } from '../../store/use-dashboard.ts';
import { SmallButton } from '../actions/buttons.tsx';
import { Note } from '../notes/Note.tsx';
import { PageHeader } from '../PageHeader.tsx';
import { awaitedText, awaitedTitle, noDaemonHelp, notLoadedText, reloadsText } from './on-demand-text.ts';

export interface NotLoadedProps {
  readonly name: string;
  /** Why it could not be loaded. */
  readonly reason: string;
  readonly reload: () => void;
}

/** Shown instead of a page that could not be loaded: reloads the window once the daemon answers. */
export function PageNotLoaded({ name, reason, reload }: NotLoadedProps) {
  const connected = useDashboard(isConnected);
  const reloads = useReloadOnceBack(name, reload);
  if (!connected) return <PageAwaited />;
  if (reloads) {
    return (
      <>
        <PageHeader title="This page is not loaded yet" />
        <Note tone="busy" urgent title={reloadsText} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="This page cannot be shown" />
      <Note tone="failed" urgent title={notLoadedText} actions={<ReloadButton reload={reload} />}>
        <p className="mono">{reason}</p>
      </Note>
    </>
  );
}

/** Shown instead of a page that is not loaded while the daemon does not answer. */
export function PageAwaited() {
  return (
    <>
      <PageHeader title="This page is not loaded yet" />
      <Note tone="busy" urgent title={awaitedTitle}>
        <p>{awaitedText}</p>
      </Note>
    </>
  );
}

/** Reloads the window, once the daemon answers: without it, the browser would show an error instead of the dashboard. */
export function ReloadButton({ reload }: { readonly reload: () => void }) {
  const connected = useDashboard(isConnected);
  return (
    <SmallButton disabled={!connected} title={connected ? undefined : noDaemonHelp} onClick={reload}>
      Reload
    </SmallButton>
  );
}

const EVERY_MS = 500;

/**
 * Reloads the window once the daemon answers, because a page could not be loaded: at most once for each start of the
 * daemon. Waits for the replies to commands, and for the user to close a dialog, in which something may be typed.
 * @param page its name
 * @param reload reloads the window
 * @returns whether the window will be reloaded
 */
function useReloadOnceBack(page: string, reload: () => void): boolean {
  const store = useContext(DashboardContext);
  const connected = useDashboard(isConnected);
  const instanceId = useDashboard((s) => s.daemon?.instanceId);
  const [gaveUpFor, setGaveUpFor] = useState<string>();

  useEffect(() => {
    if (!store || !connected || instanceId === undefined) return;
    if (wasReloadedFor(page, instanceId)) return setGaveUpFor(instanceId);
    const end = new AbortController();
    const attempt = async () => {
      const possible = !isBusy(store.getState()) && (await answers(store.getState(), end.signal));
      if (end.signal.aborted) return;
      if (!possible) setTimeout(() => void attempt(), EVERY_MS);
      else if (recordReload(page, instanceId)) reload();
      else setGaveUpFor(instanceId);
    };
    void attempt();
    return () => end.abort();
  }, [store, connected, instanceId, page, reload]);

  return gaveUpFor !== instanceId;
}

function isBusy(dashboard: Dashboard): boolean {
  return waitingCommands(dashboard).length > 0 || document.querySelector('[role="dialog"]') !== null;
}

/** The stream may not have noticed yet that the daemon has gone. Without the daemon, a reload shows an error of the browser. */
async function answers({ call }: Dashboard, signal: AbortSignal): Promise<boolean> {
  try {
    await call('getDaemonStatus', { signal });
    return true;
  } catch {
    return false;
  }
}

const KEY = 'robot-desktop.reloaded-for';

/**
 * Remembers, over a reload of this tab, that the page was reloaded because a part of it could not be loaded.
 * @param instanceId the daemon that answered then
 * @returns false if the tab can keep nothing
 */
function recordReload(part: string, instanceId: string): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...records(), [part]: instanceId }));
    return wasReloadedFor(part, instanceId);
  } catch {
    return false;
  }
}

export function wasReloadedFor(part: string, instanceId: string): boolean {
  return records()[part] === instanceId;
}

/** @returns whether there was a record */
export function forgetReload(part: string): boolean {
  const { [part]: record, ...others } = records();
  if (record !== undefined) sessionStorage.setItem(KEY, JSON.stringify(others));
  return record !== undefined;
}

function records(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
