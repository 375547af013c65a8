import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';
import { subjectName } from './install-jobs.ts';
import { currentStep } from './job-words.ts';
import './job-progress.css';

interface JobProgressProps {
  readonly job: Job;
  /** What to call the thing that is installed. */
  readonly name?: string;
}

/** A running install in the place of the button that began it: which step, what it does, and the way out. */
export function JobProgress({ job, name = subjectName(job) }: JobProgressProps) {
  const { title, place, of } = currentStep(job);
  const refusal = useDashboard((s) => s.cancelRefusals[job.id]);
  const finished = job.steps.filter(({ state }) => state === 'done').length;
  const queued = job.state === 'queued';
  return (
    <div className="job-progress">
      <div className="job-progress-line">
        <p className="job-progress-step">{queued ? 'Waiting for the install before it' : title}</p>
        <CancelJob job={job} name={name} />
      </div>
      <div
        className="job-progress-bar"
        role="progressbar"
        aria-label={`Installing ${name}`}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={finished}
        aria-valuetext={queued ? 'waiting' : `step ${place} of ${of}: ${title}`}
      >
        {job.steps.map((step) => (
          <span key={step.name} className={`job-progress-part step-${step.state}`} />
        ))}
      </div>
      <p className="job-progress-detail" title={job.detail ?? undefined}>
        {refusal?.message ?? job.detail ?? (of > 0 ? `Step ${place} of ${of}` : '')}
      </p>
    </div>
  );
}

export function CancelJob({ job, name = subjectName(job) }: JobProgressProps) {
  const cancelJob = useDashboard((s) => s.cancelJob);
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected || job.cancelling}
      onClick={() => void cancelJob(job.id)}
      aria-label={`Cancel install of ${name}`}
    >
      {job.cancelling ? 'Cancelling…' : 'Cancel'}
    </Button>
  );
}
