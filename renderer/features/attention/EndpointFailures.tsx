import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/buttons.tsx';
import { ForeignLink } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { endpointCommandKey, endpointHref, endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { failureOf, isResumeAdvised, placeFor } from '../endpoints/EndpointFailureNote.tsx';
import { EndpointLink, type NamedEndpointProps } from '../endpoints/EndpointShort.tsx';
import { commandsFor, endpointLinkText, endpointStateText } from '../endpoints/endpoint-text.ts';
import { useEndpointsIn, useEndpointsOfNeeds } from '../endpoints/use-endpoints-in.ts';
import { ChooseModelButton } from '../run/ChooseModelButton.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';

const failedStates: readonly EndpointState[] = ['failed', 'updateFailed'];

/** The key of a dismissed failure: a later failure of the same endpoint has another one. */
export const failureKey = (ownEndpoint: OwnEndpoint): string =>
  `endpoint ${endpointKey(ownEndpoint)} failed ${ownEndpoint.endpoint.status.updatedAt}`;

export interface FailedEndpoints {
  /** The newest that are not dismissed. */
  readonly shown: readonly OwnEndpoint[];
  /** How many failed beyond those that are asked for. */
  readonly more: number;
}

/** The endpoints that failed, or whose update did, except dismissed failures; null while they are not known. */
export function useFailedEndpoints(): FailedEndpoints | null {
  const listed = useEndpointsIn(failedStates);
  const dismissed = useDashboard((s) => s.dismissed);
  return (
    listed && {
      shown: listed.endpoints.filter((each) => !dismissed.includes(failureKey(each))),
      more: Math.max(0, listed.matches - listed.endpoints.length),
    }
  );
}

/** The ids of the newest endpoints that failed, dismissed or not. */
export function useFailedEndpointKeys(): readonly string[] {
  return useEndpointsIn(failedStates)?.endpoints.map(endpointKey) ?? [];
}

/** A note for each failed endpoint: the cause, and the one thing to do. */
export function EndpointFailures({ failed: { shown, more } }: { readonly failed: FailedEndpoints }) {
  const nameOf = namesForPeople(shown);
  return (
    <>
      {shown.map((each) => (
        <EndpointFailureLine key={failureKey(each)} ownEndpoint={each} name={nameOf(each)} />
      ))}
      {more > 0 && (
        <Note
          tone="failed"
          title={
            <>
              {counted(more, shown.length > 0 ? 'more endpoint' : 'endpoint')} failed →{' '}
              <a href={hrefOf('models', { tab: 'endpoints' })}>Endpoints</a>
            </>
          }
        />
      )}
    </>
  );
}

function EndpointFailureLine({ ownEndpoint, name }: NamedEndpointProps) {
  const dismiss = useDashboard((s) => s.dismiss);
  const { message, action } = failureOf(ownEndpoint);
  return (
    <Note
      tone="failed"
      title={
        <>
          <EndpointLink ownEndpoint={ownEndpoint} name={name} /> {endpointStateText(ownEndpoint).word}: {message}
        </>
      }
      actions={<FailureAction ownEndpoint={ownEndpoint} name={name} />}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(failureKey(ownEndpoint)) }}
    >
      {action !== '' && <p>{action}</p>}
      <RefusalNote commandKey={endpointCommandKey(ownEndpoint)} />
    </Note>
  );
}

/** Leads to the place where the cause is put right, or resumes the endpoint; who is not signed in is led to it. */
function FailureAction({ ownEndpoint, name }: NamedEndpointProps) {
  const signedIn = useSignedIn();
  const sendEndpointCommand = useDashboard((s) => s.sendEndpointCommand);
  const { endpoint, report } = ownEndpoint;
  const place = report.failure && placeFor(report.failure.reason, ownEndpoint);
  if (!place && signedIn && isResumeAdvised(ownEndpoint) && commandsFor(endpoint).includes('resume')) {
    return (
      <SendButton
        commandKey={endpointCommandKey(ownEndpoint)}
        aria-label={`Resume ${name}`}
        onClick={() => void sendEndpointCommand(ownEndpoint, 'resume')}
      >
        Resume
      </SendButton>
    );
  }
  const { href, label } = place ?? { href: endpointHref(ownEndpoint), label: endpointLinkText(ownEndpoint) };
  return <LinkButton href={href}>{label}</LinkButton>;
}

export interface LostModel {
  readonly app: InstalledApp;
  readonly need: AssignedNeed;
}

/** The needs without which apps do not start, and whose endpoints were deleted; null while that is not known. */
export function useLostModels(): readonly LostModel[] | null {
  const apps = useDashboard((s) => s.installedApps);
  const required = apps.flatMap((app) =>
    app.needs.filter(({ optional, endpoint }) => !optional && endpoint !== null).map((need) => ({ app, need })),
  );
  const endpoints = useEndpointsOfNeeds(required.map(({ need }) => need));
  if (required.length === 0) return [];
  return endpoints && required.filter(({ need: { endpoint } }) => endpoint && !endpoints.has(endpointId(endpoint)));
}

/** A note for each app that cannot start since the endpoint of a need was deleted. */
export function LostModels({ lost }: { readonly lost: readonly LostModel[] }) {
  return lost.map(({ app, need }) => (
    <Note
      key={`${app.name} ${need.name}`}
      tone="failed"
      title={
        <>
          <ForeignLink href={hrefOf('apps', { appName: app.name })}>{app.title}</ForeignLink> cannot start:{' '}
          {need.endpoint && endpointId(need.endpoint)}, its model for “{need.name}”, was deleted.
        </>
      }
      actions={<ChooseModelButton appName={app.name} need={need.name} />}
    />
  ));
}
