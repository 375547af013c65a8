import type { OwnEndpoint } from '../../../daemon/contract/endpoint.ts';
import { Note } from '../../parts/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { endpointKey } from './endpoints-slice.ts';

/** Why the last order of an endpoint was refused, in the daemon's words, where it was given. */
export function EndpointRefusal({ of }: { readonly of: OwnEndpoint }) {
  const key = endpointKey(of);
  const refusal = useDashboard((s) => s.endpointRefusals[key]);
  const dismiss = useDashboard((s) => s.dismissEndpointRefusal);
  if (!refusal) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(key) }}
    />
  );
}
