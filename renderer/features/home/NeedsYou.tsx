import type { Job } from '../../../daemon/contract/jobs.ts';
import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailures } from '../activity/install-jobs.ts';
import { JobFailureNote } from '../activity/JobFailureNote.tsx';
import { isFailure } from '../apps/run-words.ts';
import { isInTrouble } from '../robot/robot-words.ts';

/** What went wrong and waits for the user: the Python that installs need, a crash, failed installs. The robot tells itself. */
export function NeedsYou() {
  const robotToo = useDashboard((s) => s.robot !== null && isInTrouble(s.robot));
  const python = useDashboard((s) => s.daemon?.python);
  const lastRun = useDashboard((s) => (s.slot.state === 'free' ? s.slot.lastRun : null));
  const jobs = useDashboard((s) => s.jobs);
  const dismissed = useDashboard((s) => s.dismissedJobs);
  const failures = openFailures(jobs, dismissed);
  const crash = lastRun && isFailure(lastRun) ? lastRun : null;
  const quiet = !crash && python?.state !== 'missing' && failures.length === 0;
  return (
    <section className="stack" aria-labelledby="needs-title">
      <h2 id="needs-title">Needs you</h2>
      {quiet && <p className="muted">{robotToo ? 'Nothing but the robot.' : 'Nothing right now.'}</p>}
      {python?.state === 'missing' && (
        <Note
          tone="failed"
          title={python.reason}
          actions={
            <a href="https://www.python.org/downloads/" target="_blank" rel="noreferrer">
              Get Python
            </a>
          }
        >
          <p>{python.action}</p>
        </Note>
      )}
      {crash && (
        <Note
          tone="failed"
          title={crash.message}
          actions={
            <>
              <a href={hrefOf('apps', { appName: crash.appName, tab: 'output' })}>See its output</a>
              <span className="muted">
                <TimeAgo at={crash.endedAt} />
              </span>
            </>
          }
        />
      )}
      {failures.map((job) => (
        <FailedInstall key={job.id} job={job} />
      ))}
    </section>
  );
}

function FailedInstall({ job }: { readonly job: Job }) {
  const dismissJob = useDashboard((s) => s.dismissJob);
  if (!job.failure) return null;
  return (
    <JobFailureNote
      failure={job.failure}
      actions={<a href={hrefOf('activity')}>See what happened</a>}
      onDismiss={() => dismissJob(job.id)}
    />
  );
}
