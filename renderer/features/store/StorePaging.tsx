import { Button } from '@mantine/core';
import { counted } from '../../parts/format.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

interface StorePagingProps {
  readonly page: number;
  readonly pages: number;
  readonly matches: number;
}

/** Every match can be reached. */
export function StorePaging({ page, pages, matches }: StorePagingProps) {
  const browseStore = useDashboard((s) => s.browseStore);
  const loading = useDashboard((s) => s.storePage?.state === 'loading');
  const connected = useDashboard(isConnected);
  function turnTo(next: number): void {
    void browseStore({ page: next });
    document.querySelector('main')?.scrollTo({ top: 0 });
  }
  if (pages <= 1) return <p className="muted small">{counted(matches, 'app')}</p>;
  return (
    <nav className="store-paging" aria-label="Pages of apps">
      <Button variant="default" disabled={!connected || loading || page <= 1} onClick={() => turnTo(page - 1)}>
        Previous
      </Button>
      <span className="small" role="status">
        Page {page} of {pages} <span className="muted">· {counted(matches, 'app')}</span>
      </span>
      <Button variant="default" disabled={!connected || loading || page >= pages} onClick={() => turnTo(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
