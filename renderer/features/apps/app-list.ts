import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type FailureSources, isAbout, isActive, openFailures } from '../activity/install-jobs.ts';

interface InstalledTab {
  readonly installing: readonly Job[];
  readonly installed: readonly InstalledApp[];
  readonly failed: readonly Job[];
}

/**
 * Sorts the content of the Installed tab: running first installs, apps by title, failed first installs. Updates and
 * their failures are shown on the app's own card.
 */
export function installedTab(state: FailureSources): InstalledTab {
  const { installedApps } = state;
  const jobs = state.jobs.filter(({ kind }) => kind !== 'install-runtime');
  const hasCard = (job: Job) => installedApps.some((app) => isAbout(job, app));
  return {
    installing: jobs.filter((job) => isActive(job) && !hasCard(job)),
    installed: installedApps.toSorted((a, b) => a.title.localeCompare(b.title) || a.name.localeCompare(b.name)),
    failed: openFailures({ ...state, jobs }).filter((job) => !hasCard(job)),
  };
}
