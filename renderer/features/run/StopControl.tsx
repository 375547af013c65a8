import { Button } from '@mantine/core';
import { StopIcon } from '../../parts/icons.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Stops the running app. Hidden unless an app started by the daemon holds the slot. */
export function StopControl({ compact = false }: { readonly compact?: boolean }) {
  const slot = useDashboard((s) => s.slot);
  const stopApp = useDashboard((s) => s.stopApp);
  const connected = useDashboard(isConnected);
  if (slot.state === 'free' || slot.holder.kind !== 'managed-app') return null;
  return (
    <Button
      variant="default"
      size={compact ? 'compact-sm' : 'sm'}
      leftSection={<StopIcon size={16} />}
      disabled={!connected || slot.state === 'stopping'}
      onClick={() => void stopApp()}
      aria-label={`Stop ${slot.holder.appName}`}
    >
      {slot.state === 'stopping' && !compact ? 'Stopping…' : 'Stop'}
    </Button>
  );
}
