import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectName } from './install-jobs.ts';
import { kindWords } from './job-text.ts';

export function RetryJob({ job }: { readonly job: Job }) {
  const installApp = useDashboard((s) => s.installApp);
  const orderApp = useDashboard((s) => s.orderApp);
  const asked = useDashboard(isPending(`install ${job.subject}`));
  const connected = useDashboard(isConnected);
  function retry(): void {
    if (job.kind === 'update-app' && job.appName !== null) void orderApp(job.appName, 'update');
    else void installApp(job.subject);
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected || asked}
      onClick={retry}
      aria-label={`Try again to ${kindWords(job).thing} ${subjectName(job)}`}
    >
      Try again
    </Button>
  );
}
