import { Button } from '@mantine/core';
import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

interface UpdateButtonProps {
  readonly app: InstalledApp;
  readonly compact?: boolean;
  readonly primary?: boolean;
  /** A folder has no versions: it is installed again. */
  readonly word?: string;
}

/** Begins the update as a job, whose progress then stands where the app is shown. */
export function UpdateButton({ app, compact = false, primary = false, word = 'Update' }: UpdateButtonProps) {
  const { name, pinned } = app;
  const orderApp = useDashboard((s) => s.orderApp);
  const asked = useDashboard((s) => s.appOrdersAsked[name] !== undefined);
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      size={compact ? 'compact-sm' : 'sm'}
      disabled={!connected || asked || pinned}
      title={pinned ? 'It is pinned to its version.' : undefined}
      onClick={() => void orderApp(name, 'update')}
      aria-label={`${word} ${name}`}
    >
      {word}
    </Button>
  );
}
