import type { StoreApp } from '../../../daemon/contract/apps/store.ts';
import { installBlockedReason } from '../../slices/apps/store-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppVersionLine } from '../app-card/AppCard.tsx';
import { AppRefusal } from '../app-card/AppRefusal.tsx';
import { InstallControl } from '../install/InstallControl.tsx';
import { AppControls } from '../run/AppControls.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';
import { installedFrom } from './installed-state.ts';

interface StoreControlProps {
  readonly app: Pick<StoreApp, 'id' | 'title' | 'url'>;
  readonly primary?: boolean;
}

/** Shows Install, then its progress, then the controls of the installed app. */
export function StoreControl({ app, primary = false }: StoreControlProps) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const blockedReason = useDashboard(installBlockedReason);
  if (!installed) return <InstallControl installable={app} primary={primary} blockedReason={blockedReason} />;
  return (
    <>
      <AppControls app={installed} primary={primary} />
      <RunNotes name={installed.name} />
      <AppRefusal name={installed.name} commands={['update']} />
      <UpdateFailure app={installed} />
      <AppVersionLine app={installed} />
    </>
  );
}
