import type { Job } from '../../../daemon/contract/jobs.ts';
import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailures } from '../activity/install-jobs.ts';
import { JobFailureNote } from '../activity/JobFailureNote.tsx';
import { isFailure } from '../apps/run-words.ts';

/** What went wrong and waits for the user: the robot, the Python that installs need, a crash, failed installs. */
export function NeedsYou() {
  const robot = useDashboard((s) => s.robot);
  const python = useDashboard((s) => s.daemon?.python);
  const lastRun = useDashboard((s) => (s.slot.state === 'free' ? s.slot.lastRun : null));
  const jobs = useDashboard((s) => s.jobs);
  const dismissed = useDashboard((s) => s.dismissedJobs);
  const failures = openFailures(jobs, dismissed);
  const crash = lastRun && isFailure(lastRun) ? lastRun : null;
  const robotFault = robot && (robot.state === 'disconnected' || robot.state === 'error') ? robot : null;
  const quiet = !crash && !robotFault && python?.state !== 'missing' && failures.length === 0;
  return (
    <section className="stack" aria-labelledby="needs-title">
      <h2 id="needs-title">Needs you</h2>
      {quiet && <p className="muted">Nothing right now.</p>}
      {robotFault && (
        <Note
          tone="failed"
          title={robotFault.reason ?? 'The robot does not answer. Check its cable and its power.'}
          actions={<a href={hrefOf('robot')}>See the robot</a>}
        />
      )}
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
