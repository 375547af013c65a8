import type { Job } from '../../../daemon/contract/jobs.ts';
import { matchesSearch } from '../../parts/matches-search.ts';
import {
  type FailureSources,
  isAbout,
  isActive,
  isAppJob,
  openFailures,
  subjectName,
} from '../activity/install-jobs.ts';

interface InstalledTabSources extends FailureSources {
  /** The name of the app that holds the slot; null if none does. */
  readonly running: string | null;
  /** Words that must all occur in an app's title, name or description. */
  readonly search: string;
}

/** Made once: a comparison by `localeCompare` looks up the language each time. */
const inLanguage = new Intl.Collator();

/**
 * Sorts the content of the Installed tab: running first installs, the running app, the others by title, failed first
 * installs. Updates and their failures are shown on the app's own card.
 */
export function installedTab(state: InstalledTabSources) {
  const { jobs, installedApps, running, search } = state;
  const hasCard = (job: Job) => installedApps.some((app) => isAbout(job, app));
  return {
    installing: jobs.filter(
      (job) => isActive(job) && isAppJob(job) && !hasCard(job) && matchesSearch(search, subjectName(job), job.subject),
    ),
    installed: installedApps
      .filter(({ title, name, description }) => matchesSearch(search, title, name, description))
      .toSorted(
        (a, b) =>
          Number(b.name === running) - Number(a.name === running) ||
          inLanguage.compare(a.title, b.title) ||
          inLanguage.compare(a.name, b.name),
      ),
    failed: openFailures(state).filter((job) => isAppJob(job) && !hasCard(job)),
  };
}

/** The search of the Installed tab in an address's query. */
export const appSearchOf = (query: string): string => (new URLSearchParams(query).get('search') ?? '').slice(0, 200);

export const appSearchText = (search: string): string => new URLSearchParams({ search }).toString();
