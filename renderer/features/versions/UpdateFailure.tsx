import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailureOf } from '../activity/install-jobs.ts';
import { JobFailureNote } from '../activity/JobFailureNote.tsx';

/** Shows why the last update failed; the app's version is unchanged. */
export function UpdateFailure({ app }: { readonly app: InstalledApp }) {
  const job = useDashboard((s) => openFailureOf(s, app));
  const dismiss = useDashboard((s) => s.dismiss);
  if (!job?.failure) return null;
  return (
    <JobFailureNote
      failure={job.failure}
      actions={<a href={hrefOf('activity')}>See the log</a>}
      onDismiss={() => dismiss(job.id)}
    />
  );
}
