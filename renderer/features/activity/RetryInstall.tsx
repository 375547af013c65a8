import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';
import { subjectName } from './install-jobs.ts';

export function RetryInstall({ job }: { readonly job: Job }) {
  const installApp = useDashboard((s) => s.installApp);
  const asked = useDashboard((s) => s.installsAsked.includes(job.subject));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected || asked}
      onClick={() => void installApp(job.subject)}
      aria-label={`Try again to install ${subjectName(job)}`}
    >
      Try again
    </Button>
  );
}
