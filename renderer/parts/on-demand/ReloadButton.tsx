import { Button } from '@mantine/core';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Reloads the window, once the daemon answers: without it, the browser would show an error instead of the dashboard. */
export function ReloadButton({ reload }: { readonly reload: () => void }) {
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected}
      title={connected ? undefined : 'The daemon does not answer.'}
      onClick={reload}
    >
      Reload
    </Button>
  );
}
