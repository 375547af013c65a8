import { type ReactNode, useId } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { counted } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall, subjectTitle } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { kindText } from '../activity/job-text.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { RollbackNote } from '../versions/RollbackNote.tsx';
import { UpdateButton } from '../versions/UpdateButton.tsx';
import { rollbackKey } from '../versions/version-text.ts';
import { EndpointFailures, LostModels } from './EndpointFailures.tsx';
import { MAX_NOTES, MoreNote } from './MoreNote.tsx';
import { type Attention, dismissibleKeys, newerKey, unexpectedEndKey, updateKey } from './use-attention.ts';
import './attention.css';

/** A heading, and the notes below it. */
interface Group {
  readonly title: string;
  readonly notes: ReactNode;
  readonly isEmpty: boolean;
}

/** Lists what needs attention, with a button that dismisses it. Home and the bell have one each. */
export function AttentionSection({ attention }: { readonly attention: Attention }) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="row bar">
        <h2 id={id}>Needs attention</h2>
        <DismissAllButton attention={attention} />
      </div>
      <AttentionList attention={attention} />
    </section>
  );
}

/** The notes, grouped by what they are about. */
function AttentionList({ attention }: { readonly attention: Attention }) {
  const { unexpectedEnd, python, crashes, rollbacks, lostModels, failedEndpoints, failedJobs, updates, newer } =
    attention;
  const groups: readonly Group[] = [
    {
      title: 'This program',
      isEmpty: unexpectedEnd === null && python === null,
      notes: (
        <>
          {unexpectedEnd && <UnexpectedEndNote end={unexpectedEnd} />}
          {python && <PythonNote python={python} />}
        </>
      ),
    },
    {
      title: 'Apps',
      isEmpty: crashes.length + rollbacks.length + lostModels.length === 0,
      notes: (
        <>
          <CrashNotes crashes={crashes} />
          <RollbackNotes apps={rollbacks} />
          <LostModels lost={lostModels} />
        </>
      ),
    },
    {
      title: 'Endpoints',
      isEmpty: failedEndpoints.open.length + failedEndpoints.unlisted === 0,
      notes: <EndpointFailures failed={failedEndpoints} />,
    },
    { title: 'Jobs', isEmpty: failedJobs.length === 0, notes: <FailedJobs jobs={failedJobs} /> },
    {
      title: 'Updates',
      isEmpty: updates.length === 0 && newer === null,
      notes: (
        <>
          {updates.length > 0 && <UpdatesNote updatable={updates} />}
          {newer !== null && <NewerVersionNote version={newer} />}
        </>
      ),
    },
  ];
  return groups
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ title, notes }) => (
      <section key={title} className="stack tight" aria-label={title}>
        <h3 className="muted small">{title}</h3>
        {notes}
      </section>
    ));
}

/** Dismisses all that can be: a state stays until it is over, such as a missing Python. */
function DismissAllButton({ attention }: { readonly attention: Attention }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  const keys = dismissibleKeys(attention);
  if (keys.length + attention.crashes.length === 0) return null;
  return (
    <SmallButton
      onClick={() => {
        dismiss(...keys);
        for (const { runId } of attention.crashes) void markCrashSeen(runId);
      }}
    >
      Dismiss all
    </SmallButton>
  );
}

function PythonNote({ python }: { readonly python: NonNullable<Attention['python']> }) {
  return (
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
  );
}

/** The only failed job with its cause; one line for several. The Activity page has the details. */
function FailedJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const [only] = jobs.length === 1 ? jobs : [];
  if (only) return <FailedJob job={only} />;
  const byKind = Map.groupBy(jobs, (job) => kindText(job).noun);
  const counts = [...byKind].map(([noun, { length }]) => counted(length, noun));
  return (
    <MoreNote page="Activity" href={hrefOf('activity')} onDismiss={() => dismiss(...jobs.map(({ id }) => id))}>
      {`${counts.join(' and ')} failed`}
    </MoreNote>
  );
}

function FailedJob({ job }: { readonly job: Job }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const title = useDashboard((s) => subjectTitle(job, s));
  const { failure } = job;
  return (
    <Note
      tone="failed"
      title={
        <>
          The {kindText(job).noun} of <Foreign>{title}</Foreign> failed{failure ? `: ${failure.message}` : '.'}
        </>
      }
      actions={<a href={hrefOf('activity')}>See the log</a>}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(job.id) }}
    >
      {failure && <p>{failure.action}</p>}
    </Note>
  );
}

/** A note for each automatic rollback, until the user dismisses it. */
function RollbackNotes({ apps }: { readonly apps: readonly InstalledApp[] }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const others = apps.slice(MAX_NOTES);
  return (
    <>
      {apps.slice(0, MAX_NOTES).map((app) => (
        <DismissibleRollback key={app.name} app={app} />
      ))}
      {others.length > 0 && (
        <MoreNote page="Apps" href={hrefOf('apps')} onDismiss={() => dismiss(...others.map(rollbackKey))}>
          {`${counted(others.length, 'more app')} ${others.length === 1 ? 'was' : 'were'} rolled back automatically`}
        </MoreNote>
      )}
    </>
  );
}

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

/** Lists the apps with an available update: a few, and how many more there are. */
function UpdatesNote({ updatable }: { readonly updatable: readonly InstalledApp[] }) {
  const jobs = useDashboard((s) => s.jobs);
  const dismiss = useDashboard((s) => s.dismiss);
  const more = updatable.length - MAX_NOTES;
  return (
    <Note
      tone="idle"
      title={`${counted(updatable.length, 'update')} available`}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(...updatable.map(updateKey)) }}
    >
      <ul className="attention-updates">
        {updatable.slice(0, MAX_NOTES).map((app) => {
          const job = latestInstall(jobs, { name: app.name });
          return (
            <li key={app.name} className="row bar">
              <ForeignLink href={hrefOf('apps', { appName: app.name, tab: 'versions' })}>{app.title}</ForeignLink>
              {job && isActive(job) ? <JobProgress job={job} /> : <UpdateButton app={app} compact />}
              <RefusalNote commandKey={`app ${app.name}`} commands={['update']} />
            </li>
          );
        })}
        {more > 0 && (
          <li>
            {more} more → <a href={hrefOf('apps')}>Apps</a>
          </li>
        )}
      </ul>
    </Note>
  );
}

function NewerVersionNote({ version }: { readonly version: string }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const settings = hrefOf('settings', { query: 'section=desktop' });
  return (
    <Note
      tone="idle"
      title={
        <>
          Robot Desktop <Foreign>{version}</Foreign> is available → <a href={settings}>Settings</a>
        </>
      }
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(newerKey(version)) }}
    />
  );
}

/** Says that the last daemon ended unexpectedly, what was done about it, and what to do. */
function UnexpectedEndNote({ end }: { readonly end: NonNullable<Attention['unexpectedEnd']> }) {
  const dismiss = useDashboard((s) => s.dismiss);
  return (
    <Note
      tone="failed"
      title={end.what}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(unexpectedEndKey(end)) }}
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

/** A note for each crash until somebody has seen it: dismissed, or opened where it is explained. */
function CrashNotes({ crashes }: { readonly crashes: readonly AppRun[] }) {
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  const others = crashes.slice(MAX_NOTES);
  const markSeen = ({ runId }: AppRun) => void markCrashSeen(runId);
  return (
    <>
      {crashes.slice(0, MAX_NOTES).map((run) => (
        <CrashNote key={run.runId} run={run} away onDismiss={() => markSeen(run)} />
      ))}
      {others.length > 0 && (
        <MoreNote page="Apps" href={hrefOf('apps')} onDismiss={() => others.forEach(markSeen)}>
          {`${counted(others.length, 'more app')} crashed`}
        </MoreNote>
      )}
    </>
  );
}
