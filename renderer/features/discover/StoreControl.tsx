import type { StoreApp } from '../../../daemon/contract/apps/store.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { installBlockedReason } from '../../slices/apps/store-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppVersionLine } from '../app-card/AppCard.tsx';
import { AppRefusal } from '../app-card/AppRefusal.tsx';
import { InstallControl } from '../install/InstallControl.tsx';
import { AppControls } from '../run/AppControls.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';
import { installedFrom } from './installed-state.ts';
import { problemsOf, useKnownDetail } from './store-queries.ts';

interface StoreControlProps {
  readonly app: Pick<StoreApp, 'id' | 'title' | 'url'>;
  readonly primary?: boolean;
}

/** Shows Install, or why it cannot be installed; then its progress, then the controls of the installed app. */
export function StoreControl({ app, primary = false }: StoreControlProps) {
  const installed = useDashboard((s) => installedFrom(app.id, s.installedApps));
  const blockedReason = useDashboard(installBlockedReason);
  const [problem] = problemsOf(useKnownDetail(app.id));
  if (!installed && problem !== undefined) return <CannotInstall problem={problem} withReason={!primary} />;
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

interface CannotInstallProps {
  readonly problem: string;
  /** The page of the app shows all reasons beside. */
  readonly withReason: boolean;
}

/** In the place of Install, for an app that this machine cannot install. */
function CannotInstall({ problem, withReason }: CannotInstallProps) {
  return (
    <div className="store-refused">
      <StateWord tone="failed">cannot be installed</StateWord>
      {withReason && (
        <Foreign as="p" className="small store-refused-why" title={problem}>
          {problem}
        </Foreign>
      )}
    </div>
  );
}
