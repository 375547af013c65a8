import { Button, Tabs } from '@mantine/core';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { BackLink } from '../../parts/BackLink.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { endpointHref } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { EndpointLogPanel } from './EndpointLogPanel.tsx';
import { EndpointSummary } from './EndpointSummary.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { TryPanel } from './TryPanel.tsx';
import { useEndpoint } from './use-endpoint.ts';
import '../activity/job-progress.css';
import '../app/app-page.css';
import '../output/output.css';
import '../endpoints/endpoints.css';
import './endpoint-page.css';

export interface EndpointPageProps {
  /** `namespace/name` */
  readonly id: string;
  readonly tab: string | null;
}

/** One endpoint: how it is, how it is used, its log and its settings; and a place to try it. */
export function EndpointPage({ id, tab }: EndpointPageProps) {
  const [namespace = '', name = ''] = id.split('/');
  const { value: detail, error, again } = useEndpoint({ namespace, name });
  const loadSession = useDashboard((s) => s.loadSession);
  useWhenConnected(loadSession, '');
  return (
    <>
      <BackLink href={hrefOf('models', { tab: 'endpoints' })}>Endpoints</BackLink>
      <PageHeader title={name} />
      {error?.status === 404 ? (
        <NoSuchEndpoint name={id} />
      ) : (
        <>
          {error && <FailedNote error={error} title="The endpoint could not be loaded" onRetry={again} />}
          {detail ? <Endpoint detail={detail} tab={tab} /> : !error && <Skeleton rows={4} />}
        </>
      )}
    </>
  );
}

const tabs = ['overview', 'try', 'log', 'settings'] as const;
const tabTitles = {
  overview: 'Overview',
  try: 'Try it',
  log: 'Log',
  settings: 'Settings',
} as const satisfies Record<(typeof tabs)[number], string>;

function Endpoint({ detail, tab }: { readonly detail: EndpointDetail; readonly tab: string | null }) {
  const shown = tabs.find((each) => each === tab) ?? 'overview';
  const signedIn = useDashboard(isSignedIn);
  const { name, type } = detail.endpoint;
  const mayUse = signedIn === true || type === 'public';
  return (
    <>
      <EndpointSummary detail={detail} mayChange={signedIn === true} />
      <Tabs value={shown} onChange={(next) => switchTab(endpointHref(detail, next ?? 'overview'))} keepMounted={false}>
        <Tabs.List aria-label={name}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {tabTitles[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewPanel detail={detail} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          {mayUse ? <TryPanel detail={detail} /> : signedIn === false && <SignInFirst to="try it" />}
        </Tabs.Panel>
        <Tabs.Panel value="log">
          {signedIn ? <EndpointLogPanel detail={detail} /> : signedIn === false && <SignInFirst to="read its log" />}
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          {signedIn ? <SettingsPanel detail={detail} /> : signedIn === false && <SignInFirst to="change it" />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function SignInFirst({ to }: { readonly to: string }) {
  return (
    <section className="card stack" aria-labelledby="endpoint-sign-in">
      <h2 id="endpoint-sign-in">Sign in to {to}</h2>
      <SignInForm />
    </section>
  );
}

function NoSuchEndpoint({ name }: { readonly name: string }) {
  return (
    <EmptyState
      title={`There is no endpoint ${name}`}
      action={
        <Button component="a" href={hrefOf('models', { tab: 'endpoints' })}>
          All endpoints
        </Button>
      }
    >
      It was deleted, or its name in the address is misspelt.
    </EmptyState>
  );
}
