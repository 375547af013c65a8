import { Button } from '@mantine/core';
import type { CatalogSourceStatus } from '../../../daemon/contract/catalog/models.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoteCatalogForm } from './RemoteCatalogForm.tsx';

/** Shows and changes the source of the model catalog. */
export function CatalogSourceSection() {
  const source = useDashboard((s) => s.catalogSource);
  if (!source) return null;
  return (
    <section className="card stack" aria-labelledby="model-catalog">
      <h2 id="model-catalog">Model catalog</h2>
      {source.problem !== null && <Note tone="failed" title={source.problem} />}
      {source.kind === 'remote' ? <Remote source={source} /> : <Shipped total={source.total} />}
    </section>
  );
}

function Shipped({ total }: { readonly total: number }) {
  return (
    <>
      <p>
        The built-in catalog: {total.toLocaleString()} models. It needs no network. You can use another service instead.
      </p>
      <RemoteCatalogForm />
    </>
  );
}

function Remote({ source: { url, hasToken, fetchedAt, total } }: { readonly source: CatalogSourceStatus }) {
  const refreshCatalog = useDashboard((s) => s.refreshCatalog);
  const chooseShippedCatalog = useDashboard((s) => s.chooseShippedCatalog);
  const pending = useDashboard(isPending('catalog'));
  const refreshing = useDashboard(isPending('catalog', 'refresh'));
  const refusal = useDashboard(refusalOf('catalog'));
  const connected = useDashboard(isConnected);
  return (
    <>
      <dl className="facts">
        <Fact name="Service">
          <span className="mono">{url}</span>
        </Fact>
        <Fact name="Token">{hasToken ? 'stored encrypted, not shown' : 'none'}</Fact>
        <Fact name="Models">{total.toLocaleString()}</Fact>
        <Fact name="Loaded">{fetchedAt === null ? 'not yet' : <TimeAgo at={fetchedAt} />}</Fact>
      </dl>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      <div className="row">
        <Button variant="default" disabled={!connected || pending} onClick={() => void refreshCatalog()}>
          {refreshing ? 'Loading…' : 'Refresh'}
        </Button>
        <Button
          variant="default"
          disabled={!connected || pending}
          loading={pending && !refreshing}
          onClick={() => void chooseShippedCatalog()}
        >
          Use the built-in catalog
        </Button>
        <span className="muted small">Forgets the service and its token.</span>
      </div>
    </>
  );
}
