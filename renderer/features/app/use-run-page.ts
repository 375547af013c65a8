import { useEffect, useMemo } from 'react';
import type { ShownPage } from '../../slices/apps/runs-slice.ts';
import type { Loaded } from '../../slices/base/loaded.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { newestPage, type Turn, usePageTurn } from '../output/LinePages.tsx';
import { type LineFilter, useTyped } from '../output/OutputFilter.tsx';

/** The least time between two reads of a growing output. */
const REFRESH_MS = 1_500;

export interface RunPage {
  readonly loaded: Loaded<ShownPage> | null;
  /** Loads the page before or after a line number. */
  readonly turnTo: (turn: Turn) => void;
  readonly reload: () => void;
}

/**
 * A page of a run's output that matches a filter, the newest at first. Waits until the user has stopped typing; while the
 * output grows, reads its newest page again now and then.
 */
export function useRunPage(runId: string, { text, errors }: LineFilter): RunPage {
  const loaded = useDashboard((s) => (s.runOutput?.runId === runId ? s.runOutput.page : null));
  const loadRunOutput = useDashboard((s) => s.loadRunOutput);
  /** Of the current or last run, as the events report it. */
  const newest = useDashboard((s) => (s.output.runId === runId ? s.output.newest : null));
  const connected = useDashboard(isConnected);
  const wanted = useTyped(text);
  const [turn, turnTo] = usePageTurn(`${errors} ${wanted}`);
  const query = useMemo(
    () => ({ ...turn, ...(wanted && { text: wanted }), ...(errors && { errors }) }),
    [turn, wanted, errors],
  );
  useEffect(() => {
    if (connected) void loadRunOutput(runId, query);
  }, [connected, runId, query, loadRunOutput]);

  const last = loaded?.state === 'loaded' ? loaded.value.last : null;
  const isBehind = connected && turn === newestPage && newest !== null && last !== null && newest > last;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => void loadRunOutput(runId, query), REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isBehind, runId, query, loadRunOutput]);
  return {
    loaded,
    turnTo,
    reload: () => void loadRunOutput(runId, query),
  };
}
