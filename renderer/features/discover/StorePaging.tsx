import type { StorePage } from '../../../daemon/contract/apps/store.ts';
import { Paging } from '../../parts/Paging.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

export function StorePaging({ page, pages, matches }: Pick<StorePage, 'page' | 'pages' | 'matches'>) {
  const browseStore = useDashboard((s) => s.browseStore);
  const loading = useDashboard((s) => s.storePage?.state === 'loading');
  const connected = useDashboard(isConnected);
  return (
    <Paging
      page={page}
      pages={pages}
      matches={matches}
      noun="app"
      disabled={!connected || loading}
      onTurn={(next) => void browseStore({ page: next })}
    />
  );
}
