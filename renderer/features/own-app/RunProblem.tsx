import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { latestInstall } from '../activity/install-jobs.ts';
import { DownloadPython, useJobFailure } from '../activity/JobFailure.tsx';
import { FindingList } from './FindingList.tsx';
import { problemTitle, runProblems } from './own-app-page-text.ts';

/** Why the last change was not taken: what the check found, why the environment could not be built, or a sentence. */
export function RunProblem({ app, problem }: { readonly app: OwnApp; readonly problem: string }) {
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
