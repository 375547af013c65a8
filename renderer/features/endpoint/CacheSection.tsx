import { Switch } from '@mantine/core';
import { useId } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { cacheText } from '../../../daemon/contract/endpoints/use-text.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointSettingsKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Switches the cache of answers at once, and says how many it gave. */
export function CacheSection({ detail }: { readonly detail: EndpointDetail }) {
  const changeEndpoint = useDashboard((s) => s.changeEndpoint);
  const pending = useDashboard(isPending(endpointSettingsKey(detail)));
  const connected = useDashboard(isConnected);
  const textId = useId();
  const given = cacheText(detail.traffic);
  return (
    <section className="card stack" aria-labelledby="endpoint-cache">
      <h2 id="endpoint-cache">Cache</h2>
      <Switch
        label="Keep answers"
        aria-label="Keep answers"
        aria-describedby={textId}
        description={
          <span id={textId}>
            The same request gets the same answer, at once and without waking the model. An answer is kept until nobody
            has asked for it for an hour. Streamed ones are not kept.
          </span>
        }
        checked={detail.endpoint.cacheHttpResponses}
        disabled={!connected || pending}
        onChange={({ currentTarget }) => void changeEndpoint(detail, { cacheHttpResponses: currentTarget.checked })}
      />
      {given !== null && <p className="muted small">Answered {given} since the daemon started.</p>}
    </section>
  );
}
