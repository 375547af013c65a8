import { Button } from '@mantine/core';
import { StopIcon } from '../../parts/icons.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

/** An app may take its time to end; after this one may want to end it. */
const FORCE_AFTER_MS = 4_000;

/** Stops what runs. Shown only while an app of ours holds the slot. */
export function StopControl({ compact = false }: { readonly compact?: boolean }) {
  const slot = useDashboard((s) => s.slot);
  const stopApp = useDashboard((s) => s.stopApp);
  const connected = useDashboard(isConnected);
  if (slot.state === 'free' || slot.holder.kind !== 'managed-app') return null;
  const { appName } = slot.holder;
  const size = compact ? 'compact-sm' : 'sm';
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<StopIcon size={16} />}
        disabled={!connected || slot.state === 'stopping'}
        onClick={() => void stopApp()}
        aria-label={`Stop ${appName}`}
      >
        {slot.state === 'stopping' ? 'Stopping…' : 'Stop'}
      </Button>
      {slot.state === 'stopping' && !compact && <EndNow appName={appName} since={slot.since} />}
    </>
  );
}

/** The way out when an app does not end by itself. */
function EndNow({ appName, since }: { readonly appName: string; readonly since: string }) {
  const stopApp = useDashboard((s) => s.stopApp);
  const connected = useDashboard(isConnected);
  const waited = useNow(1_000) - Date.parse(since);
  if (waited < FORCE_AFTER_MS) return null;
  return (
    <Button
      variant="default"
      disabled={!connected}
      onClick={() => void stopApp({ force: true })}
      aria-label={`End ${appName} now`}
      title="Does not wait for the app to end by itself"
    >
      End it now
    </Button>
  );
}
