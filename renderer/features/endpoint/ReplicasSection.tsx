import type { EndpointDetail, EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { cacheText, memoryText, replicaFigures } from '../../../daemon/contract/endpoints/use-text.ts';
import { Fact } from '../../parts/Fact.tsx';
import { counted } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import type { StateText } from '../../parts/progress-text.ts';
import { Section } from '../../parts/Section.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { trafficText } from '../endpoints/endpoint-text.ts';
import './endpoint-page.css';

/** The processes and containers that serve an endpoint, why there are so many, and what they do. */
export function ReplicasSection({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint, report, traffic, memory } = detail;
  const { status, compute } = endpoint;
  const { minReplica, maxReplica, scaleToZeroTimeout } = compute.scaling;
  const memoryOfOne = memoryText(memory);
  const fromCache = cacheText(traffic);
  const slots = report.replicas.at(-1)?.slots ?? null;
  return (
    <Section title="Replicas">
      {report.replicas.length === 0 ? (
        <p className="muted small">{noReplicas[status.state] ?? 'None yet.'}</p>
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
        <Fact name="Scaling">
          {minReplica === maxReplica ? 'always' : `${minReplica} to`} {counted(maxReplica, 'replica')}
          {scaleToZeroTimeout !== null && `, asleep after ${scaleToZeroTimeout} min without use`}
        </Fact>
        {slots !== null && (
          <Fact name="At the same time">{counted(slots, 'answer')} from each replica; further requests wait</Fact>
        )}
        {memoryOfOne !== null && <Fact name="Memory of one">{memoryOfOne}</Fact>}
        <Fact name="Requests">{trafficText(traffic)}</Fact>
        {fromCache !== null && <Fact name="From the cache">{fromCache}</Fact>}
        <Fact name="Created">
          <TimeAgo at={status.createdAt} /> by {status.createdBy.name}
        </Fact>
      </dl>
    </Section>
  );
}

function Replica({ replica }: { readonly replica: ReplicaReport }) {
  const { word, tone } = states[replica.state];
  const [kind, id] = replicaName(replica);
  const [requests, memory, processor] = replicaFigures(replica);
  return (
    <li className="replica">
      <StateWord tone={tone}>{word}</StateWord>
      <span>
        {kind} <span className="mono">{id}</span>
      </span>
      <span className="replica-figure">{requests}</span>
      <span className="replica-figure">{memory}</span>
      <span className="replica-figure">{processor}</span>
    </li>
  );
}

const states: Readonly<Record<ReplicaReport['state'], StateText>> = {
  starting: { word: 'starting', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  silent: { word: 'does not answer', tone: 'failed' },
  draining: { word: 'finishing', tone: 'idle' },
};

/** The kind of a replica, and its process id or the beginning of its container's id. */
function replicaName({ pid, container }: ReplicaReport): readonly [kind: string, id: string] {
  return pid === null ? ['Container', container?.slice(0, 12) ?? ''] : ['Process', String(pid)];
}

/** Why there is no replica. */
const noReplicas: Partial<Record<EndpointState, string>> = {
  scaledToZero: 'None while it is asleep. The next request starts one.',
  paused: 'None while it is paused.',
  failed: 'None: it failed.',
};
