import type { Transfer, WorkStep } from '../../../daemon/contract/common/progress.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { transferText } from '../../parts/notes/progress-text.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { jobsAhead } from './activity-list.ts';
import { subjectTitle } from './install-jobs.ts';
import { currentStep, kindText, waitText } from './job-text.ts';
import './job-progress.css';

interface JobProgressProps {
  readonly job: Job;
  /** The title of the job's subject, if it is known to the caller. */
  readonly name?: string;
}

/** Shows the step and progress of a running job, with Cancel. Replaces the button that started the job. */
export function JobProgress({ job, name }: JobProgressProps) {
  const subject = useDashboard((s) => name ?? subjectTitle(job, s));
  const { title, position, of } = currentStep(job);
  const refusal = useDashboard(refusalOf(`cancel ${job.id}`));
  const finished = job.steps.filter(({ state }) => state === 'done').length;
  const queued = job.state === 'queued';
  const { transfer } = job;
  const ahead = useDashboard((s) => jobsAhead(s.jobs, job));
  const doing = queued ? waitText(ahead) : transfer ? transferText(transfer) : job.detail;
  return (
    <div className="job-progress">
      <div className="job-progress-line">
        <p className="job-progress-step">{queued ? 'Queued' : title}</p>
        <CancelJob job={job} name={subject} />
      </div>
      <div
        className="job-progress-bar"
        role="progressbar"
        aria-label={`${kindText(job).doing} ${subject}`}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={finished}
        aria-valuetext={queued ? 'queued' : `step ${position} of ${of}: ${title}`}
      >
        {job.steps.map((step) => (
          <StepBar key={step.name} step={step} transfer={transfer} />
        ))}
      </div>
      <p className={`job-progress-detail${transfer?.stalled ? ' stalled' : ''}`} title={doing ?? undefined}>
        {refusal?.message ?? doing ?? (of > 0 ? `Step ${position} of ${of}` : '')}
      </p>
    </div>
  );
}

interface StepBarProps {
  readonly step: WorkStep;
  /** Of the running step. */
  readonly transfer: Transfer | null;
  /** Whether it is a progress bar of its own, for screen readers. */
  readonly isNamed?: boolean;
}

/** Only a download knows its share; another running step shows an unmeasured bar. */
export function StepBar({ step: { title, state }, transfer, isNamed = false }: StepBarProps) {
  if (state !== 'running' || !transfer?.totalBytes) return <span className={`job-progress-part step-${state}`} />;
  const percent = Math.min(100, (100 * transfer.doneBytes) / transfer.totalBytes);
  const values = { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.floor(percent) };
  return (
    <span className="job-progress-part" {...(isNamed && { role: 'progressbar', 'aria-label': title, ...values })}>
      <span className="job-progress-share" style={{ width: `${percent}%` }} />
    </span>
  );
}

export function CancelJob({ job, name }: JobProgressProps) {
  const subject = useDashboard((s) => name ?? subjectTitle(job, s));
  const cancelJob = useDashboard((s) => s.cancelJob);
  const pending = useDashboard(isPending(`cancel ${job.id}`));
  return (
    <SendButton
      disabled={pending || job.cancelling}
      onClick={() => void cancelJob(job.id)}
      copies={callAction('Cancel', 'cancelJob', { params: { jobId: job.id } })}
      aria-label={`Cancel ${kindText(job).noun} of ${subject}`}
    >
      {pending || job.cancelling ? 'Cancelling…' : 'Cancel'}
    </SendButton>
  );
}

/** `queued` while the install waits for others, then `installing` or `updating`. */
export function InstallWord({ job }: { readonly job: Job }) {
  if (job.state === 'queued') return <StateWord tone="idle">queued</StateWord>;
  return <StateWord tone="busy">{kindText(job).doing.toLowerCase()}</StateWord>;
}
