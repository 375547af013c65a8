import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { ForeignLink } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { holderName, holderOf, runOf } from '../../slices/apps/apps-slice.ts';
import { missingPage } from '../../slices/apps/output-buffer.ts';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { EndpointShort } from '../endpoints/EndpointShort.tsx';
import { useEndpointsIn, useEndpointsOfNeeds } from '../endpoints/use-endpoints-in.ts';
import { RunNotes } from '../run/RunNotes.tsx';
import { SettingsLink } from '../run/SettingsLink.tsx';
import { StopControl } from '../run/StopControl.tsx';
import { noEndpointText, startedElsewhereText } from './home-text.ts';

/** Shows the program that holds the app slot, with Stop: on Home the status bar leaves it out. */
export function NowRunning() {
  const slot = useDashboard((s) => s.slot);
  const name = slot.state === 'free' ? '' : holderName(slot.holder);
  const app = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const title = useDashboard(holderOf) ?? '';
  const stale = useDashboard(isStale);
  if (slot.state === 'free') return null;
  const managed = slot.holder.kind === 'managed-app';
  const tone = stale ? 'offline' : slot.state === 'running' ? 'running' : 'busy';
  return (
    <section className="card stack" aria-labelledby="now-title">
      <div className="home-running">
        {managed && app && <AppIcon app={app} />}
        <div className="home-app-text">
          <h2 id="now-title">
            <ForeignLink href={managed ? hrefOf('apps', { appName: name }) : undefined}>{title}</ForeignLink>
          </h2>
          <span className="row">
            <StateWord tone={tone}>{stale ? `was ${slot.state}` : slot.state}</StateWord>
            <Elapsed since={slot.since} />
          </span>
        </div>
        <div className="row">
          <StopControl />
          {managed && app && <SettingsLink app={app} />}
        </div>
      </div>
      {managed ? (
        <>
          <RunNotes name={name} />
          {app && app.needs.length > 0 && <AppEndpoints needs={app.needs} />}
          <OutputTail appName={name} />
        </>
      ) : (
        <p className="muted">{startedElsewhereText(slot.holder.kind === 'local-app')}</p>
      )}
    </section>
  );
}

/** The models that the running app uses: the endpoint of each need, its state and what it uses. */
function AppEndpoints({ needs }: { readonly needs: readonly AssignedNeed[] }) {
  const endpoints = useEndpointsOfNeeds(needs);
  const nameOf = namesForPeople([...(endpoints?.values() ?? [])]);
  return (
    <ul className="stack home-endpoints" aria-label="Models it uses">
      {needs.map(({ name, endpoint }) => {
        const found = endpoint && endpoints?.get(endpointId(endpoint));
        return (
          <li key={name} className="row">
            <span className="muted small home-need">{name}</span>
            {found ? (
              <EndpointShort ownEndpoint={found} name={nameOf(found)} />
            ) : (
              <span className="muted small">
                {endpoint !== null && endpoints === null ? endpoint.name : noEndpointText(endpoint?.name ?? null)}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const LINES = 6;

function OutputTail({ appName }: { readonly appName: string }) {
  const output = useDashboard((s) => s.output);
  const isOwn = output.appName === appName;
  const lines = isOwn ? output.lines.slice(-LINES) : [];
  const loading = isOwn && missingPage(output) !== null;
  return (
    <div>
      <div className="home-tail" role="log" aria-live="off" aria-label="Newest output">
        {lines.length === 0 && <p className="muted">{loading ? 'Loading…' : 'No output yet.'}</p>}
        {lines.map(({ number, stream, text }) => (
          <p key={number} className={`home-tail-${stream}`}>
            {stream === 'stderr' && <span className="home-tail-mark">err </span>}
            {text || ' '}
          </p>
        ))}
      </div>
      <p className="small">
        <a href={hrefOf('apps', { appName, tab: 'output' })}>All output</a>
      </p>
    </div>
  );
}

const awake: readonly EndpointState[] = ['running', 'initializing', 'updating'];

/** The endpoints that use this machine now, except those that the running app's card shows; nothing while all sleep. */
export function RunningEndpoints() {
  const listed = useEndpointsIn(awake);
  const slot = useDashboard((s) => s.slot);
  const apps = useDashboard((s) => s.installedApps);
  const needs = apps.find(({ name }) => runOf(slot, name) !== null)?.needs ?? [];
  const isShown = (key: string) => needs.some(({ endpoint }) => endpoint && endpointId(endpoint) === key);
  const endpoints = listed?.endpoints.filter((each) => !isShown(endpointKey(each))) ?? [];
  const nameOf = namesForPeople(endpoints);
  const more = listed === null ? 0 : listed.matches - listed.endpoints.length;
  if (endpoints.length === 0 && more === 0) return null;
  return (
    <Section
      title="Models that run"
      headClass="home-head"
      beside={
        <a href={hrefOf('models', { tab: 'endpoints' })}>
          {more > 0 ? counted(more, endpoints.length > 0 ? 'more endpoint' : 'endpoint') : 'All endpoints'}
        </a>
      }
    >
      {endpoints.length > 0 && (
        <ul className="stack home-endpoints">
          {endpoints.map((each) => (
            <li key={endpointKey(each)} className="row">
              <EndpointShort ownEndpoint={each} name={nameOf(each)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
