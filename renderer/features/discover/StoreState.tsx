import type { StoreApp } from '../../../daemon/contract/apps/store.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { InstallWord } from '../activity/InstallWord.tsx';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { AppState } from '../app-card/AppCard.tsx';
import { installedFrom } from './installed-state.ts';

/** Shows `queued`, `installing`, or the state of the installed app; nothing for the other apps. */
export function StoreState({ app }: { readonly app: StoreApp }) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const job = useDashboard((s) => latestInstall(s.jobs, { address: app.url }));
  if (installed) return <AppState app={installed} />;
  return job && isActive(job) ? <InstallWord job={job} /> : null;
}
