import type { Job } from '../../../daemon/contract/jobs.ts';
import { InstallWord } from '../activity/InstallWord.tsx';
import { subjectName } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';

/** The card of an app during its first install. */
export function InstallingCard({ job }: { readonly job: Job }) {
  const name = subjectName(job);
  return (
    <AppCardFrame app={{ name, title: name, description: job.subject, emoji: '' }} state={<InstallWord job={job} />}>
      <JobProgress job={job} />
    </AppCardFrame>
  );
}
