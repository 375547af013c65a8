import { useEffect, useMemo } from 'react';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { LinePages, newestPage, usePageTurn } from '../output/LinePages.tsx';
import { filterQuery, type LineFilter, useTyped } from '../output/OutputFilter.tsx';
import { SaveFile } from '../output/SaveFile.tsx';

/** Pages of everything that is kept of a run's output, the newest first, since errors are at the end. */
export function RunLines({ runId, filter }: { readonly runId: string; readonly filter: LineFilter }) {
  const { loaded, turnTo, reload } = useRunPage(runId, filter);
  return (
    <LoadedPart of={loaded} failure="The output could not be loaded" onRetry={reload} rows={6}>
      {(page) => <LinePages page={page} loading={loaded?.state === 'loading'} turnTo={turnTo} whole="this run" />}
    </LoadedPart>
  );
}

/** Saves everything that is kept of a run's output to a file, or all lines that match a filter. */
export function SaveOutput({ runId, filter }: { readonly runId: string; readonly filter: LineFilter }) {
  const fetchRunOutputFile = useDashboard((s) => s.fetchRunOutputFile);
  return (
    <SaveFile name="the output" filter={filter} fetchFile={() => fetchRunOutputFile(runId, filterQuery(filter))} />
  );
}

/** The least time between two reads of a growing output. */
const REFRESH_MS = 1_500;

/**
 * A page of a run's output that matches a filter, the newest at first. Waits until the user has stopped typing; while the
 * output grows, reads its newest page again now and then.
 */
function useRunPage(runId: string, { text, errors }: LineFilter) {
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
  return { loaded, turnTo, reload: () => void loadRunOutput(runId, query) };
}
