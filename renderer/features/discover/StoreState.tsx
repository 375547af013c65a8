import type { StoreApp } from '../../../daemon/contract/apps/store.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { AppState } from '../app-card/AppCard.tsx';
import { installedFrom } from './installed-state.ts';

/** Shows `installing`, or the state of the installed app; nothing for the other apps. */
export function StoreState({ app }: { readonly app: StoreApp }) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const installing = useDashboard((s) => {
    const job = latestInstall(s.jobs, { address: app.url });
    return job !== undefined && isActive(job);
  });
  if (installed) return <AppState app={installed} />;
  return installing ? <StateWord tone="busy">installing</StateWord> : null;
}
