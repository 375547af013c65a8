import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectName } from './install-jobs.ts';
import '../../parts/notes/job-log.css';

/** Shows a job's newest log lines while it runs, or the whole log once loaded. */
export function JobLogView({ job, active }: { readonly job: Job; readonly active: boolean }) {
  const loaded = useDashboard((s) => s.jobLogs[job.id]);
  const lines = loaded?.state === 'loaded' ? loaded.value.lines : active ? job.logTail : null;
  return (
    <>
      {loaded?.state === 'loaded' && loaded.value.truncated && (
        <p className="muted small">The beginning of this log is no longer kept.</p>
      )}
      {lines && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className="job-log" role="log" aria-live="off" aria-label={`Log of ${subjectName(job)}`} tabIndex={0}>
          {lines.length > 0 ? lines.join('\n') : 'The log is empty.'}
        </pre>
      )}
      {loaded?.state === 'failed' && <p className="small">The log could not be loaded: {loaded.error.message}</p>}
    </>
  );
}

export function FullLogButton({ job }: { readonly job: Job }) {
  const loaded = useDashboard((s) => s.jobLogs[job.id]);
  const loadJobLog = useDashboard((s) => s.loadJobLog);
  const hideJobLog = useDashboard((s) => s.hideJobLog);
  const connected = useDashboard(isConnected);
  const shown = loaded?.state === 'loaded';
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-expanded={shown}
      aria-label={`${shown ? 'Hide log' : 'Full log'} of ${subjectName(job)}`}
      disabled={!shown && (!connected || loaded?.state === 'loading')}
      onClick={() => (shown ? hideJobLog(job.id) : void loadJobLog(job.id))}
    >
      {shown ? 'Hide log' : 'Full log'}
    </Button>
  );
}
