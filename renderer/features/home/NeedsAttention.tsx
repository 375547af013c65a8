import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailures } from '../activity/install-jobs.ts';
import { kindText } from '../activity/job-text.ts';
import { hasProblem } from '../robot/robot-text.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { crashKey, isFailure } from '../run/run-text.ts';
import { RollbackNote } from '../versions/RollbackNote.tsx';
import { causedRollback, isUpdatable, rollbackKey } from '../versions/version-text.ts';
import { UpdatesNote } from './UpdatesNote.tsx';

/** Lists missing Python, a crash, automatic rollbacks, failed jobs and updates. The robot's card shows its own problem. */
export function NeedsAttention() {
  const robotHasProblem = useDashboard((s) => s.robot !== null && hasProblem(s.robot));
  const python = useDashboard((s) => s.daemon?.python);
  const lastRun = useDashboard((s) => (s.slot.state === 'free' ? s.slot.lastRun : null));
  const jobs = useDashboard((s) => s.jobs);
  const apps = useDashboard((s) => s.installedApps);
  const dismissed = useDashboard((s) => s.dismissed);
  const dismiss = useDashboard((s) => s.dismiss);
  const failures = openFailures({ jobs, dismissed, installedApps: apps });
  const rollbacks = apps.filter((app) => app.rolledBack?.automatic && !dismissed.includes(rollbackKey(app)));
  // A crash that caused a rollback is shown with the rollback.
  const isOpen =
    lastRun !== null &&
    isFailure(lastRun) &&
    !dismissed.includes(crashKey(lastRun)) &&
    !apps.some((app) => causedRollback(lastRun, app));
  const crash = isOpen ? lastRun : null;
  const updates = apps.some(isUpdatable);
  const isEmpty = !crash && python?.state !== 'missing' && failures.length === 0 && rollbacks.length === 0 && !updates;
  return (
    <section className="stack" aria-labelledby="needs-title">
      <h2 id="needs-title">Needs attention</h2>
      {isEmpty && <p className="muted">{robotHasProblem ? 'Only the robot.' : 'Nothing right now.'}</p>}
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
      {crash && <CrashNote run={crash} withRestart away onDismiss={() => dismiss(crashKey(crash))} />}
      {rollbacks.map((app) => (
        <DismissibleRollback key={app.name} app={app} />
      ))}
      {failures.length > 0 && <FailedJobs jobs={failures} />}
      <UpdatesNote />
    </section>
  );
}

/** One line for all failed jobs; the Activity page has the details. */
function FailedJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const byKind = Map.groupBy(jobs, (job) => kindText(job).noun);
  const dismissAll = () => {
    for (const { id } of jobs) dismiss(id);
  };
  const counts = [...byKind].map(([noun, { length }]) => counted(length, noun));
  return (
    <Note
      tone="failed"
      title={
        <>
          {counts.join(' and ')} failed → <a href={hrefOf('activity')}>Activity</a>
        </>
      }
      dismiss={{ name: 'Dismiss this message', onDismiss: dismissAll }}
    />
  );
}

/** An automatic rollback, shown until the user dismisses it. */
function DismissibleRollback({ app }: { readonly app: InstalledApp }) {
  const dismiss = useDashboard((s) => s.dismiss);
  if (!app.rolledBack) return null;
  return (
    <RollbackNote
      app={app}
      rollback={app.rolledBack}
      actions={<a href={hrefOf('apps', { appName: app.name, tab: 'versions' })}>See its versions</a>}
      onDismiss={() => dismiss(rollbackKey(app))}
    />
  );
}
