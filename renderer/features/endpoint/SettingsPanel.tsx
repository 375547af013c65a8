import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { AppsUsing } from '../endpoints/AppsUsing.tsx';
import { ScalingForm } from './ScalingForm.tsx';

/** The settings of an endpoint that can be changed in place, and the apps that use it. */
export function SettingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  const { minReplica, maxReplica, scaleToZeroTimeout } = endpoint.compute.scaling;
  return (
    <div className="stack">
      <ScalingForm key={`${minReplica} ${maxReplica} ${scaleToZeroTimeout} ${endpoint.type}`} detail={detail} />
      <section className="card stack" aria-labelledby="endpoint-apps">
        <h2 id="endpoint-apps">Apps that use it</h2>
        <AppsUsing of={{ namespace, name: endpoint.name }} none="No installed app uses it." />
      </section>
    </div>
  );
}
