import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailureOf } from '../activity/install-jobs.ts';
import { DownloadPython } from '../activity/JobFailure.tsx';

/** Shows why the last update failed; the app's version is unchanged. */
export function UpdateFailure({ app }: { readonly app: InstalledApp }) {
  const job = useDashboard((s) => openFailureOf(s, app));
  const dismiss = useDashboard((s) => s.dismiss);
  if (!job?.failure) return null;
  return (
    <FailureNote
      failure={job.failure}
      actions={
        <>
          <DownloadPython job={job} />
          <a href={hrefOf('activity')}>See the log</a>
        </>
      }
      onDismiss={() => dismiss(job.id)}
    />
  );
}
