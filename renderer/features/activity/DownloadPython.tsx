import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { minorVersion } from '../../parts/format.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectTitle } from './install-jobs.ts';

interface DownloadPythonProps {
  readonly job: Job | undefined;
  /** Receives the id of the new job; null when the install was refused. */
  readonly onStarted?: (jobId: string | null) => void;
  readonly compact?: boolean;
}

/** Accepts the download of the Python that a failed install needs, and installs again. Nothing for other failures. */
export function DownloadPython({ job, onStarted, compact = true }: DownloadPythonProps) {
  const installApp = useDashboard((s) => s.installApp);
  const pending = useDashboard(isPending(`install ${job?.subject}`));
  const connected = useDashboard(isConnected);
  const title = useDashboard((s) => job && subjectTitle(job, s));
  const version = job?.failure?.pythonDownload;
  if (!job || version === undefined) return null;
  return (
    <Button
      size={compact ? 'compact-sm' : 'sm'}
      disabled={!connected || pending}
      loading={pending}
      onClick={() => void installApp(job.subject, { downloadPython: true }).then(onStarted)}
      aria-label={`Download Python ${minorVersion(version)} and install ${title}`}
    >
      Download Python {minorVersion(version)} and install
    </Button>
  );
}
