import { installFailure } from '../apps/install/install-failure.ts';
import { NotPublishable, PublicationUnderWay, SpaceChangedElsewhere, TokenReadOnly } from '../assistant/errors.ts';
import type { Publication } from '../assistant/publish/publish-app.ts';
import type { CheckFinding, CheckReport, OwnApp } from '../contract/apps/own-apps.ts';
import type { WorkStep } from '../contract/common/progress.ts';
import type { Job } from '../contract/jobs.ts';
import { JobFailed } from '../jobs/errors.ts';
import type { JobProgress, JobQueue } from '../jobs/job-queue.ts';

/** Long work on an app's folder, and its steps. */
export interface FolderWork<Result> {
  readonly steps: readonly Pick<WorkStep, 'name' | 'title'>[];
  run(progress: JobProgress): Promise<Result>;
}

type OfFolder = Pick<OwnApp, 'folder' | 'name'>;

/** Checks an app in a job. The report is kept in any case; problems make the job fail. */
export async function checkInJob(
  { folder, name }: OfFolder,
  work: FolderWork<CheckReport>,
  { jobs, keep }: { jobs: JobQueue; keep: (report: CheckReport) => void },
): Promise<Job> {
  const job = jobs.add({
    kind: 'check-app',
    subject: folder,
    appName: name,
    steps: work.steps,
    work: async (progress) => {
      const report = await work.run(progress);
      keep(report);
      const problems = report.findings.filter(({ severity }) => severity === 'problem');
      if (problems.length > 0) throw problemsFound(problems);
    },
  });
  await jobs.saved();
  return job;
}

/** Publishes an app in a job. @param how.dataDir the data folder; errors of writes in it are told from others */
export async function publishInJob(
  { folder, name }: OfFolder,
  work: FolderWork<Publication>,
  { jobs, keep, dataDir }: { jobs: JobQueue; keep: (publication: Publication) => Promise<void>; dataDir: string },
): Promise<Job> {
  const job = jobs.add({
    kind: 'publish-app',
    subject: folder,
    appName: name,
    steps: work.steps,
    work: async (progress) => {
      const publication = await work.run(progress).catch((error: unknown) => {
        throw progress.signal.aborted ? error : publishFailure(error, dataDir);
      });
      await keep(publication);
    },
  });
  await jobs.saved();
  return job;
}

function problemsFound(problems: readonly CheckFinding[]): JobFailed {
  const [first] = problems;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new JobFailed({
    reason: 'problems-found',
    message: `The check found ${count}. ${first?.message ?? ''}`.trim(),
    action: first?.action ?? 'Correct what the check lists, then check again.',
  });
}

/**
 * Describes the failure of a publication to people, as JobFailed; other errors are returned unchanged.
 * @param dataDir the data folder
 */
function publishFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof NotPublishable) {
    const action = error.findings[0]?.action ?? 'Check the app, and correct what the check lists. Then publish again.';
    return new JobFailed({ reason: 'problems-found', message: error.message, action });
  }
  if (error instanceof SpaceChangedElsewhere) {
    const action = 'Bring them into the folder and publish again, or overwrite them.';
    return new JobFailed({ reason: 'changed-elsewhere', message: error.message, action });
  }
  if (error instanceof TokenReadOnly) {
    return new JobFailed({ reason: 'auth', message: error.message, action: 'Sign in with a token that may write.' });
  }
  if (error instanceof PublicationUnderWay) {
    return new JobFailed({ reason: 'unusable', message: error.message, action: 'Then publish again.' });
  }
  return installFailure(error, dataDir);
}
