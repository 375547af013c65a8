import type { StoreApp } from '../../../daemon/contract/store.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppVersionLine } from '../apps/AppCard.tsx';
import { AppControls } from '../apps/AppControls.tsx';
import { AppRefusal } from '../apps/AppRefusal.tsx';
import { InstallControl } from '../apps/InstallControl.tsx';
import { RunNotes } from '../apps/RunNotes.tsx';
import { UpdateFailure } from '../apps/UpdateFailure.tsx';
import { installedFrom } from './installed-state.ts';
import { whyNoInstall } from './store-slice.ts';

interface StoreControlProps {
  readonly app: Pick<StoreApp, 'id' | 'title' | 'url'>;
  readonly primary?: boolean;
}

/** Install, its progress, then what an installed app has: all in one place. */
export function StoreControl({ app, primary = false }: StoreControlProps) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const whyNot = useDashboard(whyNoInstall);
  if (!installed) return <InstallControl of={app} primary={primary} whyNot={whyNot} />;
  return (
    <>
      <AppControls app={installed} primary={primary} />
      <RunNotes name={installed.name} />
      <AppRefusal name={installed.name} of={['update']} />
      <UpdateFailure app={installed} />
      <AppVersionLine app={installed} />
    </>
  );
}
