import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectTitle } from './install-jobs.ts';
import { kindText } from './job-text.ts';

export function RetryJob({ job }: { readonly job: Job }) {
  const installApp = useDashboard((s) => s.installApp);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const pending = useDashboard(isPending(job.kind === 'install-runtime' ? 'runtimes' : `install ${job.subject}`));
  const connected = useDashboard(isConnected);
  const title = useDashboard((s) => subjectTitle(job, s));
  function retry(): void {
    if (job.kind === 'install-runtime') void installLlamaServer();
    else if (job.kind === 'update-app' && job.appName !== null) void sendAppCommand(job.appName, 'update');
    else void installApp(job.subject);
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected || pending}
      loading={pending}
      onClick={retry}
      aria-label={`Try again to ${kindText(job).noun} ${title}`}
    >
      Try again
    </Button>
  );
}
