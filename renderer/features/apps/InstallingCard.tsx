import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../parts/route.ts';
import { StateWord } from '../../parts/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, subjectName } from '../activity/install-jobs.ts';
import { JobFailureNote } from '../activity/JobFailureNote.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { jobWords } from '../activity/job-words.ts';
import { RetryJob } from '../activity/RetryJob.tsx';
import { AppCardFrame } from './AppCardFrame.tsx';

/** An app that is not installed yet, or that could not be: the card stands where the app will be. */
export function InstallingCard({ job }: { readonly job: Job }) {
  const dismiss = useDashboard((s) => s.dismiss);
  const { word, tone } = jobWords(job);
  const name = subjectName(job);
  const state = <StateWord tone={tone}>{isActive(job) ? 'installing' : word}</StateWord>;
  return (
    <AppCardFrame app={{ name, title: name, description: job.subject, emoji: '📦' }} state={state}>
      {isActive(job) && <JobProgress job={job} />}
      {job.failure && (
        <JobFailureNote
          failure={job.failure}
          onDismiss={() => dismiss(job.id)}
          actions={
            <>
              <RetryJob job={job} />
              <a href={hrefOf('activity')}>See the log</a>
            </>
          }
        />
      )}
    </AppCardFrame>
  );
}
