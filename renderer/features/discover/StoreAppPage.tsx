import type { StoreAppDetail } from '../../../daemon/contract/apps/store.ts';
import { hrefOf } from '../../navigation/route.ts';
import { BackLink } from '../../parts/BackLink.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppEmoji } from '../app-card/AppEmoji.tsx';
import { Readme } from '../readme/Readme.tsx';
import { storePlace } from '../readme/readme-links.ts';
import { StoreControl } from './StoreControl.tsx';
import { StoreFacts } from './StoreFacts.tsx';
import { StoreProblems } from './StoreProblems.tsx';
import { StoreState } from './StoreState.tsx';
import { problemsOf, useStoreApp } from './store-queries.ts';
import '../app/app-page.css';
import './store.css';

/** The page of one hub app: its description, requirements, README and Install. */
export function StoreAppPage({ id }: { readonly id: string }) {
  const visited = useDashboard((s) => s.visited.discover);
  const { detail, listed } = useStoreApp(id);
  // The listed summary is shown at once, until the details are loaded.
  const app = detail.value ?? listed;
  return (
    <>
      <BackLink href={hrefOf('apps', { tab: 'discover', query: visited })}>Discover</BackLink>
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
          <Foreign as="p">{app.description}</Foreign>
          <StoreProblems problems={problemsOf(detail.value)} />
        </section>
      )}
      {detail.error && (
        <FailedNote
          error={detail.error}
          title={app ? 'Details could not be loaded' : 'The app could not be loaded'}
          onRetry={detail.again}
        />
      )}
      {detail.value ? <About app={detail.value} /> : !detail.error && <Skeleton rows={4} />}
    </>
  );
}

function About({ app }: { readonly app: StoreAppDetail }) {
  return (
    <div className="store-about">
      <section className="card stack" aria-labelledby="store-needs">
        <h2 id="store-needs">Details</h2>
        <StoreFacts app={app} />
      </section>
      <section className="card stack" aria-labelledby="store-readme">
        <h2 id="store-readme">README</h2>
        <Readme readme={app.readme} place={storePlace(app)} />
      </section>
    </div>
  );
}
