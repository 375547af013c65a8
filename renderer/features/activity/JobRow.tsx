import { useState } from 'react';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { duration } from '../../parts/format.ts';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { transferText } from '../../parts/progress-text.ts';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { jobsAhead } from './activity-list.ts';
import { DownloadPython } from './DownloadPython.tsx';
import { FoundApps } from './FoundApps.tsx';
import { isActive, subjectName } from './install-jobs.ts';
import { FullLogButton, JobLogView } from './JobLogView.tsx';
import { CancelJob } from './JobProgress.tsx';
import { JobSteps } from './JobSteps.tsx';
import { jobStateText, jobTitle, waitText } from './job-text.ts';
import { RetryJob } from './RetryJob.tsx';

/** Shows one job: a running one with its steps and log, a failed one with the reason. */
export function JobRow({ job }: { readonly job: Job }) {
  const { word, tone } = jobStateText(job);
  const active = isActive(job);
  const title = useDashboard((s) => jobTitle(job, s));
  const [whole, setWhole] = useState(false);
  const ahead = useDashboard((s) => jobsAhead(s.jobs, job));
  return (
    <li>
      <article className="card job-row" aria-label={title}>
        <header className="job-head">
          <h2>{title}</h2>
          <StateWord tone={tone}>{word}</StateWord>
          <span className="muted small job-times">
            <JobTimes job={job} />
          </span>
          {job.subject !== subjectName(job) && (
            <p className="muted small mono job-subject" title={job.subject}>
              {job.subject}
            </p>
          )}
          <span className="row job-actions">
            {active && <CancelJob job={job} />}
            {(job.state === 'failed' || job.state === 'cancelled') && <RetryJob job={job} />}
            <FullLogButton job={job} shown={whole} onShow={setWhole} />
          </span>
        </header>
        {active && <JobSteps steps={job.steps} />}
        {job.state === 'queued' && <p className="small">{waitText(ahead)}</p>}
        {job.state === 'running' && <p className="small">{job.transfer ? transferText(job.transfer) : job.detail}</p>}
        {job.failure && (
          <FailureNote
            failure={job.failure}
            withEvidence
            actions={job.failure.pythonDownload && <DownloadPython job={job} />}
          >
            <FoundApps failure={job.failure} />
          </FailureNote>
        )}
        <JobLogView job={job} whole={whole} />
        <JobRefusal job={job} />
      </article>
    </li>
  );
}

function JobTimes({ job }: { readonly job: Job }) {
  if (job.state === 'running' && job.startedAt) return <Elapsed since={job.startedAt} />;
  if (!job.endedAt) return <TimeAgo at={job.createdAt} />;
  const took = job.startedAt ? Date.parse(job.endedAt) - Date.parse(job.startedAt) : null;
  return (
    <>
      {took !== null && `${duration(took)} · `}
      <TimeAgo at={job.endedAt} />
    </>
  );
}

/** Shows why the last command of this row was refused. */
function JobRefusal({ job }: { readonly job: Job }) {
  const refusal = useDashboard(
    (s) =>
      refusalOf(`cancel ${job.id}`)(s) ??
      refusalOf(`install ${job.subject}`)(s) ??
      (job.kind === 'update-app' ? refusalOf(`app ${job.appName}`)(s) : null) ??
      (job.kind === 'install-runtime' ? refusalOf('runtimes', ['install'])(s) : null),
  );
  return refusal ? <Note tone="failed" title={refusal.message} urgent /> : null;
}
