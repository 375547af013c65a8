import { useEffect, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { PrimaryLink } from '../../parts/actions/buttons.tsx';
import { BackLink } from '../../parts/BackLink.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { endpointCommandKey, endpointHref } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { EndpointActivity, EndpointMessage, EndpointNotes, ModelName } from '../endpoints/EndpointActivity.tsx';
import { EndpointControls } from '../endpoints/EndpointControls.tsx';
import { EndpointFailureNote, NotOnCardNote } from '../endpoints/EndpointFailureNote.tsx';
import { endpointStateText, placementText } from '../endpoints/endpoint-text.ts';
import type { Playground as PlaygroundComponent } from '../playground/Playground.tsx';
import { SignInCard } from '../session/SignInCard.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';
import { EndpointLogPanel } from './EndpointLogPanel.tsx';
import { missingEndpointText, notLoadedText } from './endpoint-page-text.ts';
import { OverviewPanel } from './OverviewPanel.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useEndpoint } from './use-endpoint.ts';
import '../../parts/figures.css';
import '../../parts/forms/segments.css';
import '../activity/job-progress.css';
import '../output/output.css';
import '../endpoints/endpoints.css';
import './endpoint-page.css';
import '../playground/playground.css';
import '../app/app-page.css';

export interface EndpointPageProps {
  /** `namespace/name` */
  readonly id: string;
  readonly tab: string | null;
}

/** One endpoint: how it is, how it is used, its log and its settings; and a place to try it. */
export function EndpointPage({ id, tab }: EndpointPageProps) {
  const [namespace = '', name = ''] = id.split('/');
  const asked = useEndpoint({ namespace, name });
  const signedIn = useSignedIn();
  return (
    <>
      <BackLink href={hrefOf('models', { tab: 'endpoints' })}>Endpoints</BackLink>
      <PageHeader title={name} />
      {asked.error?.status === 404 ? (
        <EmptyState
          title={`There is no endpoint ${id}`}
          action={<PrimaryLink href={hrefOf('models', { tab: 'endpoints' })}>All endpoints</PrimaryLink>}
        >
          {missingEndpointText}
        </EmptyState>
      ) : (
        <LoadedPart of={asked} failure="The endpoint could not be loaded" rows={4}>
          {(detail) => <Endpoint detail={detail} tab={tab} signedIn={signedIn} />}
        </LoadedPart>
      )}
    </>
  );
}

const tabs = ['overview', 'try', 'log', 'settings'] as const;

interface EndpointProps extends Pick<EndpointPageProps, 'tab'> {
  readonly detail: EndpointDetail;
  /** Null: not known yet. */
  readonly signedIn: boolean | null;
}

function Endpoint({ detail, tab, signedIn }: EndpointProps) {
  const { name, type } = detail.endpoint;
  const askTo = (what: string) => signedIn === false && <SignInCard to={what} />;
  const mayUse = signedIn === true || type === 'public';
  return (
    <>
      <EndpointSummary detail={detail} mayChange={signedIn === true} />
      <PageTabs
        label={name}
        shown={tabs.find((each) => each === tab) ?? 'overview'}
        hrefOf={(next) => endpointHref(detail, next)}
        tabs={{
          overview: { title: 'Overview', content: <OverviewPanel detail={detail} /> },
          try: { title: 'Try it', content: mayUse ? <TryPanel detail={detail} /> : askTo('try it') },
          log: { title: 'Log', content: signedIn ? <EndpointLogPanel detail={detail} /> : askTo('read its log') },
          settings: { title: 'Settings', content: signedIn ? <SettingsPanel detail={detail} /> : askTo('change it') },
        }}
      />
    </>
  );
}

/** The state of an endpoint with its cause, what it serves, and the buttons that change it. */
function EndpointSummary({ detail, mayChange }: { readonly detail: EndpointDetail; readonly mayChange: boolean }) {
  const { namespace, endpoint } = detail;
  const state = endpointStateText(detail);
  const [location] = placementText(endpoint);
  return (
    <section className="card stack tight endpoint-summary" aria-label={endpoint.name}>
      <p className="visually-hidden" role="status">
        {endpoint.name}: {state.word}
      </p>
      <div className="row bar endpoint-line">
        <div className="stack endpoint-names">
          <StateWord {...state} />
          <span className="small">
            <ModelName endpoint={endpoint} /> · <span className="endpoint-task">{endpoint.model.task}</span>
          </span>
          <span className="muted small">
            namespace {namespace} · {location} · {endpoint.type}
          </span>
        </div>
        {mayChange && (
          <EndpointControls
            ownEndpoint={detail}
            name={endpoint.name}
            onDeleted={() => navigate(hrefOf('models', { tab: 'endpoints' }))}
          />
        )}
      </div>
      <EndpointFailureNote ownEndpoint={detail} />
      <NotOnCardNote ownEndpoint={detail} />
      <RefusalNote commandKey={endpointCommandKey(detail)} />
      <EndpointMessage ownEndpoint={detail} />
      <EndpointActivity ownEndpoint={detail} />
      <EndpointNotes ownEndpoint={detail} />
    </section>
  );
}

/** A place to try an endpoint. Its code is loaded when it is opened; after a failure, again with each reconnect. */
function TryPanel({ detail }: { readonly detail: EndpointDetail }) {
  const [Playground, setPlayground] = useState<typeof PlaygroundComponent | 'loading' | null>('loading');
  const snapshots = useDashboard((s) => s.snapshots);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `snapshots` loads again
  useEffect(() => {
    let isShown = true;
    import('../playground/Playground.tsx').then(
      (module) => isShown && setPlayground(() => module.Playground),
      () => isShown && setPlayground((known: typeof Playground) => (known === 'loading' ? null : known)),
    );
    return () => {
      isShown = false;
    };
  }, [snapshots]);
  if (Playground === 'loading') return <Skeleton rows={4} />;
  if (Playground === null) return <Note tone="offline" title={notLoadedText} />;
  const { namespace, endpoint } = detail;
  return <Playground key={`${namespace}/${endpoint.name}`} detail={detail} />;
}
