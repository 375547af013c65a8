import { CloseButton } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted, firstSentence } from '../../parts/format.ts';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectName, subjectTitle } from '../activity/install-jobs.ts';
import '../../parts/rows.css';
import './apps.css';

/** Lists failed first installs, one line each; the Activity page has the details. */
export function FailedInstalls({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) return null;
  return (
    <section className="failed-installs" aria-labelledby="failed-installs">
      <h2 id="failed-installs">{counted(jobs.length, 'install')} failed</h2>
      <ul className="card rows">
        {jobs.map((job) => (
          <FailedInstall key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function FailedInstall({ job }: { readonly job: Job }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const name = subjectName(job);
  const title = useDashboard((s) => subjectTitle(job, s));
  const message = firstSentence(job.failure?.message ?? 'It failed.');
  return (
    <li className="failed-install">
      <StateMark tone="failed" />
      <span className={`failed-install-name${title === name ? ' mono' : ''}`} title={job.subject}>
        <Foreign>{title}</Foreign>
      </span>
      <span className="muted small failed-install-reason" title={message}>
        {message}
      </span>
      <a className="small" href={hrefOf('activity')} aria-label={`Details of the install of ${title}`}>
        Details
      </a>
      <CloseButton
        size="sm"
        aria-label={`Dismiss the failed install of ${title}`}
        title="Dismiss"
        onClick={() => dismiss(job.id)}
      />
    </li>
  );
}
