import { type ReactNode, useEffect } from 'react';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import type { Ask, AskedKey } from '../../slices/base/answers.ts';
import { useAsked } from '../../store/use-asked.ts';
import { type LinePage, LinePages, newestPage, type Turn, usePageTurn } from './LinePages.tsx';
import { filterQuery, type LineFilter, useTyped } from './OutputFilter.tsx';

/** Selects lines: a page of all, or of those that match a filter. */
export type LineQuery = Turn & ReturnType<typeof filterQuery>;

interface FollowedPagesProps {
  /** Names the lines. Others begin with their newest page. */
  readonly of: AskedKey;
  readonly filter: LineFilter;
  /** The number of the newest line that is known to exist; null: not known. */
  readonly newest: number | null;
  readonly ask: (query: LineQuery) => Ask<Omit<LinePage, 'query'>>;
  /** See `LoadedPart`. */
  readonly failure: string;
  /** See `LinePages`. */
  readonly whole: string;
  readonly children?: ReactNode;
}

/** The least time between two reads of lines that grow. */
const REFRESH_MS = 1_500;

/**
 * Pages of all lines that are kept, or of those that match a filter, the newest first, since errors are at the end. Waits until
 * the user has stopped typing. The newest page is read again now and then while there are more lines.
 */
export function FollowedPages({ of, filter, newest, ask, failure, whole, children }: FollowedPagesProps) {
  const wanted = filterQuery({ text: useTyped(filter.text), errors: filter.errors });
  const [turn, turnTo] = usePageTurn(JSON.stringify([of, wanted]));
  const query = { ...turn, ...wanted };
  const asked = useAsked<LinePage>(
    [...of, query],
    async (call, signal) => ({ ...(await ask(query)(call, signal)), query }),
    true,
  );
  const { value, loading, again } = asked;
  const isBehind = turn === newestPage && !loading && value !== null && newest !== null && newest > value.last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is another function each time
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(again, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <LoadedPart of={asked} failure={failure} rows={6}>
      {(page) => (
        <LinePages page={page} loading={loading} turnTo={turnTo} whole={whole}>
          {children}
        </LinePages>
      )}
    </LoadedPart>
  );
}
