import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton, SendButton } from '../../parts/actions/buttons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { latestInstall } from '../activity/install-jobs.ts';
import { DownloadPython, useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { RemoveAppDialog } from '../app-card/RemoveAppDialog.tsx';
import { needsText } from '../app-needs/need-text.ts';
import { installLine, reloadsText } from '../own-apps/own-app-text.ts';
import { ChooseModelButton } from '../run/ChooseModelButton.tsx';
import { CrashNote } from '../run/CrashNote.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { useEndedRun, useSeen } from '../run/use-ended-run.ts';
import { FindingList } from './FindingList.tsx';
import {
  earlierInstallText,
  missingFolder,
  needText,
  noValidApp,
  problemTitle,
  runHint,
  runProblems,
} from './own-app-page-text.ts';

/** Says what the run waits for, why the last change was not taken, and what the app lacks. */
export function OwnAppNotes({ app }: { readonly app: OwnApp }) {
  const { name, exists, run } = app;
  if (!exists) return <Note tone="failed" title={missingFolder} />;
  if (name !== null) return <NotesOfApp app={app} name={name} />;
  if (run.problem !== null) return <RunProblem app={app} problem={run.problem} />;
  const check = hrefOf('apps', { ownAppId: app.id, tab: 'check' });
  return <Note tone="failed" title={noValidApp} actions={<LinkButton href={check}>See the check</LinkButton>} />;
}

function NotesOfApp({ app, name }: { readonly app: OwnApp; readonly name: string }) {
  const { title, run } = app;
  const ended = useEndedRun(name);
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const installation = installLine(app, installed);
  // While the app keeps running; before its first start, the progress replaces Run.
  const build = useDashboard((s) => (run.state === 'running' ? s.jobs.find(({ id }) => id === run.jobId) : undefined));
  const isStopping = useDashboard(isBeingStopped(app));
  useSeen(ended);
  return (
    <>
      <p className="small muted" role="status">
        {[runHint(run), reloadsText(run.reloads)].filter((text) => text !== null).join(' ')}
      </p>
      {installation !== null && <p className="small muted">{installation}</p>}
      <EarlierInstalls app={app} />
      {build && <JobProgress job={build} name={title} />}
      {run.problem !== null && run.problem !== ended?.message && <RunProblem app={app} problem={run.problem} />}
      {(run.state === 'running' || isStopping) && <RunNotes name={name} />}
      {ended && <CrashNote run={ended} />}
      {installed && <NeedsNote app={installed} />}
    </>
  );
}

/** Leads to the choice of models for the needs of the app that have none. */
function NeedsNote({ app: { name, needs } }: { readonly app: InstalledApp }) {
  const open = needs.filter(({ endpoint }) => endpoint === null);
  const [first] = open.toSorted((a, b) => Number(a.optional) - Number(b.optional));
  if (!first) return null;
  const isStopped = !first.optional;
  return (
    <Note
      tone={isStopped ? 'busy' : 'idle'}
      title={`${needsText(open)}.`}
      actions={
        <ChooseModelButton
          appName={name}
          need={first.name}
          label={open.length === 1 ? 'Choose a model' : 'Choose the models'}
        />
      }
    >
      <p>{needText(isStopped)}</p>
    </Note>
  );
}

/** Why the last change was not taken: what the check found, why the environment could not be built, or a sentence. */
function RunProblem({ app, problem }: { readonly app: OwnApp; readonly problem: string }) {
  const build = useDashboard((s) => latestInstall(s.jobs, { address: app.folder }));
  const { failure } = useJobFailure(build);
  if (failure && problem.startsWith(failure.message)) {
    return (
      <FailureNote
        failure={failure}
        withEvidence
        actions={
          <>
            <DownloadPython job={build} />
            <a href={hrefOf('activity')}>See the log</a>
          </>
        }
      />
    );
  }
  return (
    <Note tone="failed" title={problemTitle(app.run)}>
      <FindingList app={app} findings={runProblems(app.run)} />
    </Note>
  );
}

/** The apps that were installed from the folder under names that it had before. */
export function EarlierInstalls({ app: { folder, name } }: { readonly app: OwnApp }) {
  const apps = useDashboard((s) => s.installedApps);
  const earlier = apps.filter(
    ({ name: each, source }) => each !== name && source.kind === 'folder' && source.path === folder,
  );
  return earlier.map((each) => <EarlierInstall key={each.name} app={each} />);
}

function EarlierInstall({ app }: { readonly app: InstalledApp }) {
  const [removing, setRemoving] = useState(false);
  return (
    <Note
      tone="idle"
      title={earlierInstallText(app.name)}
      actions={<SendButton onClick={() => setRemoving(true)}>Remove {app.name}…</SendButton>}
    >
      <RemoveAppDialog app={app} opened={removing} stay onClose={() => setRemoving(false)} />
    </Note>
  );
}
