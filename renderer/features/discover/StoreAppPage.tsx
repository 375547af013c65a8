import type { StoreAppDetail } from '../../../daemon/contract/apps/store.ts';
import { hrefOf } from '../../navigation/route.ts';
import { BackIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { AppEmoji } from '../app-card/AppEmoji.tsx';
import { StoreControl } from './StoreControl.tsx';
import { StoreFacts } from './StoreFacts.tsx';
import { StoreState } from './StoreState.tsx';
import '../app/app-page.css';
import './store.css';

/** The page of one hub app: its description, requirements, README and Install. */
export function StoreAppPage({ id }: { readonly id: string }) {
  const detail = useDashboard((s) => (s.storeApp?.id === id ? s.storeApp.detail : null));
  // The listed summary is shown at once, until the details are loaded.
  const listed = useDashboard((s) => s.storePage?.value?.apps.find((app) => app.id === id));
  const loadStoreApp = useDashboard((s) => s.loadStoreApp);
  const account = useDashboard((s) => s.hubAccount?.name ?? null);
  useWhenConnected(loadStoreApp, id, account);
  const app = detail?.value ?? listed;
  return (
    <>
      <a className="app-back" href={hrefOf('apps', { tab: 'discover' })}>
        <BackIcon size={16} /> Discover
      </a>
      <PageHeader title={app?.title ?? id} />
      {app && (
        <section className="card app-summary" aria-label={id}>
          <div className="app-summary-line">
            <AppEmoji emoji={app.emoji} />
            <div className="app-card-names">
              <p className="mono store-id">{id}</p>
              <StoreState app={app} />
            </div>
            <div className="store-control">
              <StoreControl app={app} primary />
            </div>
          </div>
          <p>{app.description}</p>
        </section>
      )}
      {detail?.state === 'failed' && (
        <FailedNote
          error={detail.error}
          title={app ? 'Details could not be loaded' : 'The app could not be loaded'}
          onRetry={() => void loadStoreApp(id)}
        />
      )}
      {detail?.value ? <About app={detail.value} /> : detail?.state !== 'failed' && <Skeleton rows={4} />}
    </>
  );
}

function About({ app }: { readonly app: StoreAppDetail }) {
  return (
    <div className="store-about">
      <section className="card stack" aria-labelledby="store-needs">
        <h2 id="store-needs">Requirements</h2>
        <StoreFacts app={app} />
      </section>
      <section className="card stack" aria-labelledby="store-readme">
        <h2 id="store-readme">README</h2>
        {app.readme.trim() ? (
          <div className="store-readme">{app.readme}</div>
        ) : (
          <p className="muted">The author has not written one.</p>
        )}
      </section>
    </div>
  );
}
