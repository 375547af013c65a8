import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { EndpointLifeEvent } from '../../../daemon/contract/endpoints/endpoint-life.ts';
import type { ReplicaReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { cacheText, generatedText, memoryText, replicaFigures } from '../../../daemon/contract/endpoints/use-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CopyButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { StateMark, StateWord } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { isOwnUser, isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { exampleRequest } from '../endpoint-requests/example-request.ts';
import { type Language, languages, TOKEN_VARIABLE } from '../endpoint-requests/request-snippets.ts';
import { SnippetBox } from '../endpoint-requests/SnippetBox.tsx';
import { cardUsesOf, computesText } from '../endpoints/card-text.ts';
import { accessText, answerText, trafficText } from '../endpoints/endpoint-text.ts';
import { NewToken } from '../session/NewToken.tsx';
import { howToMakeText, noEventsText, noReplicasText, tokenReadText, tokenText } from './endpoint-page-text.ts';
import { UseCharts } from './UseCharts.tsx';
import './endpoint-page.css';

/** The address of an endpoint, its use over the last hour, its replicas and the events of its life. */
export function OverviewPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint, life } = detail;
  return (
    <div className="stack">
      <AddressSection detail={detail} />
      <UseCharts of={{ namespace, name: endpoint.name }} />
      <ReplicasSection detail={detail} />
      <LifeList life={life} />
    </div>
  );
}

/** The address of an endpoint, whether it answers now and for whom, how to get a token, and a request to copy. */
function AddressSection({ detail }: { readonly detail: EndpointDetail }) {
  const { name, type, status, model } = detail.endpoint;
  const notReady = answerText[status.state];
  const [language, setLanguage] = useState<Language>(languages[0].value);
  return (
    <Section title="Use it">
      {/* It is known from its first moment. */}
      <div className="endpoint-address">
        <div className="endpoint-address-line">
          <span className={notReady ? 'mono muted' : 'mono'}>{status.url}</span>
          <CopyButton text={() => status.url} name={`Copy the address of ${name}`} copied="Copied" />
        </div>
        <p className="muted small">
          {notReady && <span className="endpoint-not-ready">{notReady} </span>}
          {accessText[type]}
        </p>
      </div>
      {type === 'authenticated' && <EndpointToken detail={detail} />}
      <SnippetBox request={exampleRequest(detail)} language={language} onLanguage={setLanguage} />
      <p className="muted small">
        Programs for OpenAI’s interface use the base address <span className="mono">{status.url}/v1</span>, and the
        model <span className="mono">{model.repository}</span>.
      </p>
    </Section>
  );
}

/** Makes a token for an endpoint alone; or says who can. */
function EndpointToken({ detail: { namespace, endpoint } }: { readonly detail: EndpointDetail }) {
  const mayLetIn = useDashboard(isOwnUser);
  const signedIn = useDashboard(isSignedIn);
  const id = endpointId({ namespace, name: endpoint.name });
  if (mayLetIn !== true) {
    return signedIn === null ? null : (
      <p className="muted small">
        {tokenReadText} <code>{TOKEN_VARIABLE}</code>. {howToMakeText[signedIn ? 'byToken' : 'signedOut']}{' '}
        <a href={hrefOf('settings')}>Settings</a>.
      </p>
    );
  }
  return (
    <NewToken scopes={[`endpoint:${id}`]} suggestedName={endpoint.name}>
      <p className="small">
        {tokenText} <code>{TOKEN_VARIABLE}</code>.
      </p>
    </NewToken>
  );
}

/** The processes and containers that serve an endpoint, why there are so many, and what they do. */
function ReplicasSection({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint, report, traffic, memory } = detail;
  const { status, compute } = endpoint;
  const { minReplica, maxReplica, scaleToZeroTimeout } = compute.scaling;
  const memoryOfOne = memoryText(memory);
  const fromCache = cacheText(traffic);
  const generated = generatedText(traffic);
  const slots = report.replicas.at(-1)?.slots ?? null;
  return (
    <Section title="Replicas">
      {report.replicas.length === 0 ? (
        <p className="muted small">{noReplicasText[status.state] ?? 'None yet.'}</p>
      ) : (
        <ul className="replicas" aria-label="Replicas">
          {report.replicas.map((replica) => (
            <Replica key={replica.id} replica={replica} />
          ))}
        </ul>
      )}
      {report.scaling !== null && <p className="small">{report.scaling}</p>}
      <dl className="facts">
        <Fact name="Program">{report.runtime ?? 'none now'}</Fact>
        <PlaceFact detail={detail} />
        <Fact name="Scaling">
          {minReplica === maxReplica ? 'always' : `${minReplica} to`} {counted(maxReplica, 'replica')}
          {scaleToZeroTimeout !== null && `, asleep after ${scaleToZeroTimeout} min without use`}
        </Fact>
        {slots !== null && (
          <Fact name="At the same time">{counted(slots, 'answer')} from each replica; further requests wait</Fact>
        )}
        {memoryOfOne !== null && <Fact name="Memory of one">{memoryOfOne}</Fact>}
        <Fact name="Requests">{trafficText(traffic)}</Fact>
        {generated !== null && <Fact name="Generates">{generated}</Fact>}
        {fromCache !== null && <Fact name="From the cache">{fromCache}</Fact>}
        <Fact name="Created">
          <TimeAgo at={status.createdAt} /> by {status.createdBy.name}
        </Fact>
      </dl>
    </Section>
  );
}

/** Where its replicas compute, and the names of their graphics cards; nothing while that is not known. */
function PlaceFact({ detail }: { readonly detail: EndpointDetail }) {
  const text = computesText(detail);
  if (text === null) return null;
  const cards = [...new Set(cardUsesOf(detail).map(({ card }) => card))];
  return (
    <Fact name="Runs">
      {text}
      {cards.map((card) => (
        <Foreign key={card} as="span" className="muted small endpoint-card">
          {card}
        </Foreign>
      ))}
    </Fact>
  );
}

function Replica({ replica }: { readonly replica: ReplicaReport }) {
  const { pid, container } = replica;
  const [requests, memory, processor] = replicaFigures(replica);
  return (
    <li className="replica">
      <StateWord {...replicaTexts[replica.state]} />
      <span>
        {pid === null ? 'Container' : 'Process'} <span className="mono">{pid ?? container?.slice(0, 12)}</span>
      </span>
      <span className="replica-figure">{requests}</span>
      <span className="replica-figure">{memory}</span>
      <span className="replica-figure">{processor}</span>
    </li>
  );
}

const replicaTexts: Readonly<Record<ReplicaReport['state'], StateText>> = {
  starting: { word: 'starting', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  silent: { word: 'does not answer', tone: 'failed' },
  draining: { word: 'finishing', tone: 'idle' },
};

const SHOWN = 8;

/** The events in the life of an endpoint with their causes, newest first. */
function LifeList({ life }: { readonly life: readonly EndpointLifeEvent[] }) {
  const [all, setAll] = useState(false);
  const events = life.toReversed();
  return (
    <section className="card" aria-labelledby="endpoint-life">
      <h2 id="endpoint-life">Events</h2>
      {events.length === 0 && <p className="muted small">{noEventsText}</p>}
      <ol className="life" aria-labelledby="endpoint-life">
        {(all ? events : events.slice(0, SHOWN)).map(({ at, kind, cause }) => (
          <li className="life-event" key={`${at} ${kind} ${cause}`}>
            <span className={`life-kind tone-${lifeTexts[kind].tone}`}>
              <StateMark tone={lifeTexts[kind].tone} />
              {lifeTexts[kind].word}
            </span>
            <Foreign as="span" className="life-cause">
              {cause}
            </Foreign>
            <span className="muted small">
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
      </ol>
      {events.length > SHOWN && (
        <SmallButton aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${events.length}`}
        </SmallButton>
      )}
    </section>
  );
}

const lifeTexts: Readonly<Record<EndpointLifeEvent['kind'], StateText>> = {
  created: { word: 'created', tone: 'done' },
  starting: { word: 'starting', tone: 'busy' },
  waking: { word: 'waking', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  asleep: { word: 'asleep', tone: 'asleep' },
  changed: { word: 'changed', tone: 'done' },
  scaled: { word: 'scaled', tone: 'done' },
  placed: { word: 'moved', tone: 'done' },
  updateFailed: { word: 'update failed', tone: 'failed' },
  paused: { word: 'paused', tone: 'idle' },
  failed: { word: 'failed', tone: 'failed' },
  stopped: { word: 'stopped', tone: 'idle' },
};
