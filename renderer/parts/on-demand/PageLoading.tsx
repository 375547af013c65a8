import { useEffect, useState } from 'react';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { loadingText } from './on-demand-text.ts';
import { PageAwaited } from './PageNotLoaded.tsx';
import '../notes/skeleton.css';

/** A page that is loaded sooner needs no sentence. */
const SAY_AFTER_MS = 1_000;

/** Shown while a page is loaded: after a second, says what it waits for. */
export function PageLoading() {
  const stale = useDashboard(isStale);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (late && stale) return <PageAwaited />;
  return (
    <>
      {late && <p role="status">{loadingText}</p>}
      <PageSkeleton />
    </>
  );
}

/** Shown until the first snapshot, after a short delay. */
export function PageSkeleton() {
  return (
    <div className="skeleton page-skeleton" role="status" aria-label="Loading">
      <span className="skeleton-title" />
      <div>
        <span />
        <span />
      </div>
    </div>
  );
}
