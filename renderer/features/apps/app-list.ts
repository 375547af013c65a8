import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isActive, openFailures } from '../activity/install-jobs.ts';

/** What stands on the Installed tab: first what is on its way there or failed to get there, then the apps by name. */
export function cardsFor(
  apps: readonly InstalledApp[],
  jobs: readonly Job[],
  dismissed: readonly string[],
): { readonly installing: readonly Job[]; readonly installed: readonly InstalledApp[] } {
  const failed = openFailures(jobs, dismissed);
  // An installed app shows the progress of its update on its own card.
  const hasCard = (job: Job) => apps.some(({ name }) => name === job.appName);
  return {
    installing: jobs.filter((job) => (isActive(job) && !hasCard(job)) || failed.includes(job)),
    installed: apps.toSorted((a, b) => a.title.localeCompare(b.title) || a.name.localeCompare(b.name)),
  };
}
