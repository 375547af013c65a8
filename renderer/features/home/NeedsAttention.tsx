import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isInWindow } from '../../navigation/in-window.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall, openFailures, subjectTitle } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { kindText } from '../activity/job-text.ts';
import { hasProblem } from '../robot/robot-text.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { RollbackNote } from '../versions/RollbackNote.tsx';
import { UpdateButton } from '../versions/UpdateButton.tsx';
import { causedRollback, isUpdatable, rollbackKey } from '../versions/version-text.ts';
import { EndpointFailures, LostModels, useFailedEndpoints, useLostModels } from './EndpointFailures.tsx';

/** Lists an unexpected end, missing Python, crashes that nobody has seen, automatic rollbacks, failed and deleted endpoints, failed jobs, and updates, in the window also of the program itself. The robot's problem has its own card. */
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
  const newer = useNewerVersion();
  const updates = apps.some(isUpdatable) || newer !== null;
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
      {newer !== null && <NewerVersionNote version={newer} />}
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

/** Lists the apps with an available update, except pinned ones. */
function UpdatesNote() {
  const apps = useDashboard((s) => s.installedApps);
  const jobs = useDashboard((s) => s.jobs);
  const updatable = apps.filter(isUpdatable);
  if (updatable.length === 0) return null;
  return (
    <Note tone="idle" title={`${counted(updatable.length, 'update')} available`}>
      <ul className="home-updates">
        {updatable.map((app) => {
          const job = latestInstall(jobs, { name: app.name });
          return (
            <li key={app.name} className="row bar">
              <ForeignLink href={hrefOf('apps', { appName: app.name, tab: 'versions' })}>{app.title}</ForeignLink>
              {job && isActive(job) ? <JobProgress job={job} /> : <UpdateButton app={app} compact />}
              <RefusalNote commandKey={`app ${app.name}`} commands={['update']} />
            </li>
          );
        })}
      </ul>
    </Note>
  );
}

/** A newer version of the program, which its window can get; null: there is none. */
function useNewerVersion(): string | null {
  const update = useDashboard((s) => s.daemon?.desktop?.update);
  return isInWindow && (update?.state === 'available' || update?.state === 'ready') ? update.version : null;
}

function NewerVersionNote({ version }: { readonly version: string }) {
  const settings = hrefOf('settings', { query: 'section=desktop' });
  return (
    <Note
      tone="idle"
      title={
        <>
          Robot Desktop <Foreign>{version}</Foreign> is available → <a href={settings}>Settings</a>
        </>
      }
    />
  );
}

type UnexpectedEnd = NonNullable<DaemonStatus['unexpectedEnd']>;

const keyOf = ({ at }: UnexpectedEnd) => `unexpected end ${at}`;

/** How the last daemon ended, if that was unexpected and is not dismissed; null: nothing to tell. */
function useUnexpectedEnd(): UnexpectedEnd | null {
  const end = useDashboard((s) => s.daemon?.unexpectedEnd);
  const dismissed = useDashboard((s) => s.dismissed);
  return end && !dismissed.includes(keyOf(end)) ? end : null;
}

/** Says that the last daemon ended unexpectedly, what was done about it, and what to do. */
function UnexpectedEndNote({ end }: { readonly end: UnexpectedEnd }) {
  const dismiss = useDashboard((s) => s.dismiss);
  return (
    <Note
      tone="failed"
      title={end.what}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(keyOf(end)) }}
    >
      <p>
        {end.done} {end.action}{' '}
        <span className="muted">
          <TimeAgo at={end.at} />
        </span>
      </p>
    </Note>
  );
}

const MAX_NOTES = 3;

/** The crashes that nobody has seen, except those that are shown with the rollback that they caused; newest first. */
function useCrashesToShow(): readonly AppRun[] {
  const crashes = useDashboard((s) => s.crashes);
  const apps = useDashboard((s) => s.installedApps);
  const unseen = crashes.filter(({ seen }) => !seen).map(({ run }) => run);
  return unseen.filter((run) => !apps.some((app) => causedRollback(run, app)));
}

/** A note for each crash until somebody has seen it: dismissed, or opened where it is explained. */
function CrashNotes({ crashes }: { readonly crashes: readonly AppRun[] }) {
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  const more = crashes.length - MAX_NOTES;
  return (
    <>
      {crashes.slice(0, MAX_NOTES).map((run) => (
        <CrashNote key={run.runId} run={run} away onDismiss={() => void markCrashSeen(run.runId)} />
      ))}
      {more > 0 && (
        <Note
          tone="failed"
          title={
            <>
              {counted(more, 'more app')} crashed → <a href={hrefOf('apps')}>Apps</a>
            </>
          }
        />
      )}
    </>
  );
}
