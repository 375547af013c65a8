import { type ReactNode, useEffect } from 'react';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { outputLine } from '../../slices/models/endpoint-log-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { LinePages, newestPage, usePageTurn } from '../output/LinePages.tsx';
import { filterQuery, type LineFilter, useTyped } from '../output/OutputFilter.tsx';

interface EndpointLogPagesProps {
  readonly namespace: string;
  readonly name: string;
  readonly filter: LineFilter;
  /** Another log counts its lines anew; null: not known yet. */
  readonly logId: string | null;
  /** The number of the newest line that is known to exist; 0: none. */
  readonly newest: number;
  /** More controls. */
  readonly children?: ReactNode;
}

/** The least time between two reads of a growing log. */
const REFRESH_MS = 1_500;

/** Pages of everything that is kept of an endpoint's log, or of the lines that match a filter; the newest first, which follows growth. */
export function EndpointLogPages({ namespace, name, filter, logId, newest, children }: EndpointLogPagesProps) {
  const wanted = filterQuery({ text: useTyped(filter.text), errors: filter.errors });
  const [turn, turnTo] = usePageTurn(JSON.stringify([wanted, logId]));
  const query = { ...turn, ...wanted };
  const { value, loading, error, again } = useAsked(
    ['endpoint-log', namespace, name, query],
    async (call, signal) => {
      const { lines, ...counts } = await call('getEndpointLog', { params: { namespace, name }, query, signal });
      return { ...counts, lines: lines.map(outputLine), query };
    },
    true,
  );
  const isBehind = turn === newestPage && !loading && value !== null && newest > value.last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is another function each time
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(again, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <>
      {error && <FailedNote error={error} title="The log could not be searched" onRetry={again} />}
      {value ? (
        <LinePages page={value} loading={loading} turnTo={turnTo} whole="this log">
          {children}
        </LinePages>
      ) : (
        !error && <Skeleton rows={6} />
      )}
    </>
  );
}
