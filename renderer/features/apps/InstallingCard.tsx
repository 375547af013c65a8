import type { Job } from '../../../daemon/contract/jobs.ts';
import { ownAppOfJob } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { InstallWord } from '../activity/InstallWord.tsx';
import { subjectName, subjectTitle } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { ownFolderText } from '../versions/version-text.ts';

/** The card of an app during its first install. */
export function InstallingCard({ job }: { readonly job: Job }) {
  const name = subjectName(job);
  const title = useDashboard((s) => subjectTitle(job, s));
  const own = useDashboard((s) => ownAppOfJob(s.ownApps, job));
  const description = own ? ownFolderText(own.folder) : job.subject;
  return (
    <AppCardFrame
      app={{ name: own?.name ?? name, title, description, emoji: own?.emoji ?? '' }}
      state={<InstallWord job={job} />}
    >
      <JobProgress job={job} />
    </AppCardFrame>
  );
}
