import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { AddressSection } from './AddressSection.tsx';
import { LifeList } from './LifeList.tsx';
import { ReplicasSection } from './ReplicasSection.tsx';
import { UseCharts } from './UseCharts.tsx';

/** The address of an endpoint, its use over the last hour, its replicas and the events of its life. */
export function OverviewPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint, report, life } = detail;
  return (
    <div className="stack">
      <AddressSection detail={detail} />
      <UseCharts of={{ namespace, name: endpoint.name }} memoryNow={memoryOf(report)} />
      <ReplicasSection detail={detail} />
      <LifeList life={life} />
    </div>
  );
}

/** The memory of the replicas that is known, in bytes; null: nothing is known of it. */
function memoryOf({ replicas }: EndpointReport): number | null {
  const known = replicas.map(({ memoryBytes }) => memoryBytes).filter((bytes) => bytes !== null);
  return known.length === 0 && replicas.length > 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0);
}
