import { Button } from '@mantine/core';
import type { CatalogSourceStatus, ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { isNewerThan } from '../../slices/models/catalog-source-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface CatalogAgeProps {
  /** The shown results. */
  readonly page: ModelPage | null;
  readonly onAgain: () => void;
}

/** Shows the catalog's source and age, why it could not be updated, and Refresh. */
export function CatalogAge({ page, onAgain }: CatalogAgeProps) {
  const source = useDashboard((s) => s.catalogSource);
  const isNew = page !== null && isNewerThan(source, page);
  const refreshCatalog = useDashboard((s) => s.refreshCatalog);
  const pending = useDashboard(isPending('catalog'));
  const refreshing = useDashboard(isPending('catalog', 'refresh'));
  const connected = useDashboard(isConnected);
  if (!source) return null;
  async function refresh(): Promise<void> {
    await refreshCatalog();
    onAgain();
  }
  return (
    <>
      <div className="catalog-age">
        <span className="muted small" role="status">
          {refreshing ? 'Loading the catalog…' : <CameFrom source={source} />}
        </span>
        {isNew && !pending ? (
          // The list never changes under the pointer: the user asks for the new one.
          <Button variant="default" size="compact-sm" onClick={onAgain}>
            Show the newest
          </Button>
        ) : (
          source.kind === 'remote' && (
            <Button variant="default" size="compact-sm" disabled={!connected || pending} onClick={() => void refresh()}>
              Refresh
            </Button>
          )
        )}
        <a className="small" href={hrefOf('settings')}>
          Change in Settings
        </a>
      </div>
      {source.problem !== null && !pending && (
        <Note tone="offline" title="The catalog could not be updated.">
          <p>{source.problem}</p>
          {source.total > 0 && <p>This is the last copy. You can still browse it.</p>}
        </Note>
      )}
    </>
  );
}

export function CameFrom({ source: { kind, url, fetchedAt } }: { readonly source: CatalogSourceStatus }) {
  if (kind === 'embedded') return 'The built-in catalog';
  return (
    <>
      From <span className="mono">{url}</span>, {fetchedAt === null ? 'not loaded yet' : 'loaded '}
      {fetchedAt !== null && <TimeAgo at={fetchedAt} />}
    </>
  );
}
