import { Button } from '@mantine/core';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { installLine, reloadsText } from '../own-apps/own-app-text.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { useEndedRun } from '../run/use-ended-run.ts';
import { useSeen } from '../run/use-seen.ts';
import { EarlierInstalls } from './EarlierInstalls.tsx';
import { NeedsNote } from './NeedsNote.tsx';
import { missingFolder, noValidApp, runHint } from './own-app-page-text.ts';
import { RunProblem } from './RunProblem.tsx';

/** Says what the run waits for, why the last change was not taken, and what the app lacks. */
export function OwnAppNotes({ app }: { readonly app: OwnApp }) {
  const { name, exists, run } = app;
  if (!exists) return <Note tone="failed" title={missingFolder} />;
  if (name !== null) return <NotesOfApp app={app} name={name} />;
  return run.problem === null ? <NoValidApp id={app.id} /> : <RunProblem app={app} problem={run.problem} />;
}

function NoValidApp({ id }: { readonly id: string }) {
  return (
    <Note
      tone="failed"
      title={noValidApp}
      actions={
        <Button component="a" variant="default" size="compact-sm" href={hrefOf('apps', { ownAppId: id, tab: 'check' })}>
          See the check
        </Button>
      }
    />
  );
}

function NotesOfApp({ app, name }: { readonly app: OwnApp; readonly name: string }) {
  const { title, run } = app;
  const ended = useEndedRun(name);
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const installation = installLine(app, installed);
  // While the app goes on; before its first start, the progress is in the place of Run.
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
