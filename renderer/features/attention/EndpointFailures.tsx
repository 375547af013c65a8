import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/actions/buttons.tsx';
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
import { MAX_NOTES, MoreNote } from './MoreNote.tsx';

const failedStates: readonly EndpointState[] = ['failed', 'updateFailed'];

/** The key of a dismissed failure: a later failure of the same endpoint has another one. */
export const failureKey = (ownEndpoint: OwnEndpoint): string =>
  `endpoint ${endpointKey(ownEndpoint)} failed ${ownEndpoint.endpoint.status.updatedAt}`;

/** The most that are asked for of each state: of these it is known which are dismissed. */
const MAX_ASKED = 50;

export interface FailedEndpoints {
  /** Those that are listed and not dismissed, the newest failure first. */
  readonly open: readonly OwnEndpoint[];
  /** How many failed beyond those that are listed, unless they are dismissed. */
  readonly unlisted: number;
  /** The key by which these are dismissed, until another endpoint fails. */
  readonly unlistedKey: string;
}

export const noneFailed: FailedEndpoints = { open: [], unlisted: 0, unlistedKey: '' };

/** The endpoints that failed, or whose update did, except dismissed failures; null while they are not known. */
export function useFailedEndpoints(): FailedEndpoints | null {
  const listed = useEndpointsIn(failedStates, MAX_ASKED);
  const dismissed = useDashboard((s) => s.dismissed);
  if (listed === null) return null;
  const newestFirst = listed.endpoints.toSorted((a, b) => failedAt(b).localeCompare(failedAt(a)));
  const [newest] = newestFirst;
  const unlistedKey = `more endpoints ${listed.matches} ${newest ? failedAt(newest) : ''}`;
  return {
    open: newestFirst.filter((each) => !dismissed.includes(failureKey(each))),
    unlisted: dismissed.includes(unlistedKey) ? 0 : Math.max(0, listed.matches - listed.endpoints.length),
    unlistedKey,
  };
}

const failedAt = ({ endpoint }: OwnEndpoint): string => endpoint.status.updatedAt;

/** The ids of the failed endpoints that have a note of their own, and of those whose failure is dismissed. */
export function useToldFailures({ open }: FailedEndpoints): Record<'noted' | 'dismissed', readonly string[]> {
  const listed = useEndpointsIn(failedStates, MAX_ASKED)?.endpoints ?? [];
  const isDismissed = (one: OwnEndpoint) => open.every((each) => endpointKey(each) !== endpointKey(one));
  return {
    noted: open.slice(0, MAX_NOTES).map(endpointKey),
    dismissed: listed.filter(isDismissed).map(endpointKey),
  };
}

/** A note for each of the newest failed endpoints: the cause, and the one thing to do; the others are counted. */
export function EndpointFailures({ failed: { open, unlisted, unlistedKey } }: { readonly failed: FailedEndpoints }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const nameOf = namesForPeople(open);
  const others = open.slice(MAX_NOTES);
  const more = others.length + unlisted;
  return (
    <>
      {open.slice(0, MAX_NOTES).map((each) => (
        <EndpointFailureLine key={failureKey(each)} ownEndpoint={each} name={nameOf(each)} />
      ))}
      {more > 0 && (
        <MoreNote
          page="Endpoints"
          href={hrefOf('models', { tab: 'endpoints' })}
          onDismiss={() => dismiss(...others.map(failureKey), unlistedKey)}
        >
          {`${counted(more, open.length > 0 ? 'more endpoint' : 'endpoint')} failed`}
        </MoreNote>
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
  const more = lost.length - MAX_NOTES;
  return (
    <>
      {lost.slice(0, MAX_NOTES).map(({ app, need }) => (
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
      ))}
      {more > 0 && (
        <MoreNote page="Apps" href={hrefOf('apps')}>
          {`${counted(more, 'more model')} of apps ${more === 1 ? 'was' : 'were'} deleted`}
        </MoreNote>
      )}
    </>
  );
}
