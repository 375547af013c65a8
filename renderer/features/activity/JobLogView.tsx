import { Button } from '@mantine/core';
import type { Job, JobLog } from '../../../daemon/contract/jobs.ts';
import { LogText } from '../../parts/LogText.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectTitle } from './install-jobs.ts';
import '../../parts/notes/job-log.css';

/** Shows a job's whole log on request, and its newest lines while it runs. */
export function JobLogView({ job, whole }: { readonly job: Job; readonly whole: boolean }) {
  const newest = job.state === 'running' ? job.logTail : null;
  if (whole) return <WholeLog job={job} newest={newest} />;
  return newest && <LogLines job={job} lines={newest} />;
}

/** Asks for the log, again when the job has ended. `newest` is shown until then. */
function WholeLog({ job, newest }: { readonly job: Job; readonly newest: readonly string[] | null }) {
  const { value, error } = useAsked<JobLog>(['job-log', job.id, job.state], (call, signal) =>
    call('getJobLog', { params: { jobId: job.id }, signal }),
  );
  const lines = value?.lines ?? newest;
  return (
    <>
      {value?.truncated && <p className="muted small">The beginning of this log is no longer kept.</p>}
      {lines && <LogLines job={job} lines={lines} />}
      {error && <p className="small">The log could not be loaded: {error.message}</p>}
    </>
  );
}

function LogLines({ job, lines }: { readonly job: Job; readonly lines: readonly string[] }) {
  const title = useDashboard((s) => subjectTitle(job, s));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className="job-log" role="log" aria-live="off" aria-label={`Log of ${title}`} tabIndex={0}>
      {lines.length > 0 ? <LogText lines={lines} /> : 'The log is empty.'}
    </pre>
  );
}

interface FullLogButtonProps {
  readonly job: Job;
  readonly shown: boolean;
  readonly onShow: (shown: boolean) => void;
}

export function FullLogButton({ job, shown, onShow }: FullLogButtonProps) {
  const connected = useDashboard(isConnected);
  const title = useDashboard((s) => subjectTitle(job, s));
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-expanded={shown}
      aria-label={`${shown ? 'Hide log' : 'Full log'} of ${title}`}
      disabled={!shown && !connected}
      onClick={() => onShow(!shown)}
    >
      {shown ? 'Hide log' : 'Full log'}
    </Button>
  );
}
