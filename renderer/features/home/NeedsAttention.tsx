import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailures, subjectTitle } from '../activity/install-jobs.ts';
import { kindText } from '../activity/job-text.ts';
import { hasProblem } from '../robot/robot-text.ts';
import { RollbackNote } from '../versions/RollbackNote.tsx';
import { isUpdatable, rollbackKey } from '../versions/version-text.ts';
import { CrashNotes, useCrashesToShow } from './CrashNotes.tsx';
import { EndpointFailures, useFailedEndpoints } from './EndpointFailures.tsx';
import { LostModels, useLostModels } from './LostModels.tsx';
import { UnexpectedEndNote, useUnexpectedEnd } from './UnexpectedEndNote.tsx';
import { UpdatesNote } from './UpdatesNote.tsx';

/** Lists an unexpected end, missing Python, crashes that nobody has seen, automatic rollbacks, failed and deleted endpoints, failed jobs, and updates. The robot's problem has its own card. */
export function NeedsAttention() {
  const robotHasProblem = useDashboard((s) => s.robot !== null && hasProblem(s.robot));
  const python = useDashboard((s) => s.daemon?.python);
  const unexpectedEnd = useUnexpectedEnd();
  const crashes = useCrashesToShow();
  const jobs = useDashboard((s) => s.jobs);
  const apps = useDashboard((s) => s.installedApps);
  const dismissed = useDashboard((s) => s.dismissed);
  const failures = openFailures({ jobs, dismissed, installedApps: apps });
  const rollbacks = apps.filter((app) => app.rolledBack?.automatic && !dismissed.includes(rollbackKey(app)));
  const updates = apps.some(isUpdatable);
  const endpoints = useFailedEndpoints();
  const noEndpoint = endpoints !== null && endpoints.shown.length + endpoints.more === 0;
  const lost = useLostModels();
  const noneLost = lost !== null && lost.length === 0;
  const nothingFailed =
    crashes.length === 0 && failures.length === 0 && rollbacks.length === 0 && noEndpoint && noneLost;
  const isEmpty = nothingFailed && unexpectedEnd === null && python?.state !== 'missing' && !updates;
  return (
    <section className="stack" aria-labelledby="needs-title">
      <h2 id="needs-title">Needs attention</h2>
      {isEmpty && <p className="muted">{robotHasProblem ? 'Only the robot.' : 'Nothing right now.'}</p>}
      {unexpectedEnd && <UnexpectedEndNote end={unexpectedEnd} />}
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
      <CrashNotes crashes={crashes} />
      {rollbacks.map((app) => (
        <DismissibleRollback key={app.name} app={app} />
      ))}
      {endpoints && <EndpointFailures failed={endpoints} />}
      {lost && <LostModels lost={lost} />}
      {failures.length > 0 && <FailedJobs jobs={failures} />}
      <UpdatesNote />
    </section>
  );
}

/** One line for all failed jobs, by its name if it is one; the Activity page has the details. */
function FailedJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const byKind = Map.groupBy(jobs, (job) => kindText(job).noun);
  const dismissAll = () => {
    for (const { id } of jobs) dismiss(id);
  };
  const counts = [...byKind].map(([noun, { length }]) => counted(length, noun));
  const [only] = jobs.length === 1 ? jobs : [];
  const title = useDashboard((s) => (only ? subjectTitle(only, s) : ''));
  return (
    <Note
      tone="failed"
      title={
        <>
          {only ? (
            <>
              The {kindText(only).noun} of <Foreign>{title}</Foreign>
            </>
          ) : (
            counts.join(' and ')
          )}{' '}
          failed → <a href={hrefOf('activity')}>Activity</a>
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
