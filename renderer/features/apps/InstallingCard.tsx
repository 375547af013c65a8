import type { Job } from '../../../daemon/contract/jobs.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { InstallWord } from '../activity/InstallWord.tsx';
import { subjectName, subjectTitle } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';

/** The card of an app during its first install. */
export function InstallingCard({ job }: { readonly job: Job }) {
  const name = subjectName(job);
  const title = useDashboard((s) => subjectTitle(job, s));
  return (
    <AppCardFrame app={{ name, title, description: job.subject, emoji: '' }} state={<InstallWord job={job} />}>
      <JobProgress job={job} />
    </AppCardFrame>
  );
}
