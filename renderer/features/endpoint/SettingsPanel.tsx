import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { PagesSection } from '../endpoint-pages/PagesSection.tsx';
import { AppsUsing } from '../endpoints/AppsUsing.tsx';
import { NotificationSwitches } from '../notifications/NotificationSwitches.tsx';
import { CacheSection } from './CacheSection.tsx';
import { ChatTemplateSection } from './ChatTemplateSection.tsx';
import { ScalingForm } from './ScalingForm.tsx';

/** The settings of an endpoint that can be changed in place, and the apps that use it. */
export function SettingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  return (
    <div className="stack">
      <ScalingForm detail={detail} />
      <ChatTemplateSection detail={detail} />
      <PagesSection detail={detail} />
      <CacheSection detail={detail} />
      <NotificationsSection detail={detail} />
      <section className="card stack" aria-labelledby="endpoint-apps">
        <h2 id="endpoint-apps">Apps that use it</h2>
        <AppsUsing of={{ namespace, name: endpoint.name }} none="No installed app uses it." />
      </section>
    </div>
  );
}

/** A switch applies at once. */
function NotificationsSection({ detail }: { readonly detail: EndpointDetail }) {
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const pending = useDashboard(isPending(endpointSettingsKey(detail)));
  const connected = useDashboard(isConnected);
  return (
    <section className="card stack" aria-labelledby="endpoint-notifications">
      <h2 id="endpoint-notifications">Notifications</h2>
      <NotificationSwitches
        chosen={detail.endpoint.notifications}
        disabled={!connected || pending}
        onChange={(notifications) => void changeEndpoint(detail, { notifications })}
      />
    </section>
  );
}
