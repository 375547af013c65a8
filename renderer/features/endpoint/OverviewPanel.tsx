import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { Fact } from '../../parts/Fact.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { replicaText, trafficText } from '../endpoints/endpoint-text.ts';
import { AddressSection } from './AddressSection.tsx';
import { LifeList } from './LifeList.tsx';
import { UseCharts } from './UseCharts.tsx';

/** The address of an endpoint, its use over the last hour, its processes and the events of its life. */
export function OverviewPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint, report, traffic, life } = detail;
  const { name, status, compute } = endpoint;
  const { minReplica, maxReplica, scaleToZeroTimeout } = compute.scaling;
  return (
    <div className="stack">
      <AddressSection detail={detail} />
      <UseCharts of={{ namespace, name }} memoryNow={memoryOf(report)} />
      <section className="card stack" aria-labelledby="endpoint-replicas">
        <h2 id="endpoint-replicas">Processes</h2>
        <dl className="facts">
          <Fact name="Program">{report.runtime ?? 'none yet'}</Fact>
          <Fact name="Replicas">
            {minReplica} to {maxReplica}
            {scaleToZeroTimeout !== null && `, asleep after ${scaleToZeroTimeout} min without use`}
          </Fact>
          <Fact name="Running">
            {report.replicas.length === 0
              ? 'none'
              : report.replicas.map((replica) => (
                  <span className="endpoint-replica" key={replica.pid}>
                    {replicaText(replica)}
                  </span>
                ))}
          </Fact>
          <Fact name="Requests">{trafficText(traffic)}</Fact>
          <Fact name="Created">
            <TimeAgo at={status.createdAt} /> by {status.createdBy.name}
          </Fact>
        </dl>
      </section>
      <LifeList life={life} />
    </div>
  );
}

function memoryOf({ replicas }: EndpointReport): number | null {
  return replicas.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0) || null;
}
