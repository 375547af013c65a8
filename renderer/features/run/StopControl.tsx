import { ActionButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { StopIcon } from '../../parts/icons.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Stops the running app. Hidden unless an app started by the daemon holds the slot. */
export function StopControl({ compact = false }: { readonly compact?: boolean }) {
  const slot = useDashboard((s) => s.slot);
  const title = useDashboard(holderOf);
  const stopApp = useDashboard((s) => s.stopApp);
  const pending = useDashboard(isPending('stop'));
  const connected = useDashboard(isConnected);
  if (slot.state === 'free' || slot.holder.kind !== 'managed-app') return null;
  const stopping = pending || slot.state === 'stopping';
  const text = stopping && !compact ? 'Stopping…' : 'Stop';
  return (
    <ActionButton
      variant="default"
      size={compact ? 'compact-sm' : 'sm'}
      leftSection={<StopIcon size={16} />}
      disabled={!connected || stopping}
      loading={compact && stopping}
      onClick={() => void stopApp()}
      copies={callAction('Stop', 'stopCurrentApp')}
      aria-label={`${text} ${title}`}
    >
      {text}
    </ActionButton>
  );
}
