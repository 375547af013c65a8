import { useEffect, useMemo, useState } from 'react';
import type { RunOutputQuery, ShownPage } from '../../slices/apps/runs-slice.ts';
import type { Loaded } from '../../slices/base/loaded.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { LineFilter } from './OutputFilter.tsx';

const TYPING_MS = 250;
/** The least time between two reads of a growing output. */
const REFRESH_MS = 1_500;

type Turn = Pick<RunOutputQuery, 'after' | 'before'>;

const newestPage: Turn = {};

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
  const wanted = useLate(text.trim(), TYPING_MS);
  const filterKey = `${errors} ${wanted}`;
  const [turned, setTurned] = useState<{ readonly filterKey: string; readonly turn: Turn } | null>(null);
  // Another filter begins with its newest lines.
  const turn = turned?.filterKey === filterKey ? turned.turn : newestPage;
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
    turnTo: (next) => setTurned({ filterKey, turn: next }),
    reload: () => void loadRunOutput(runId, query),
  };
}

/** The value, once it has not changed for some time. */
function useLate(value: string, ms: number): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return late;
}
