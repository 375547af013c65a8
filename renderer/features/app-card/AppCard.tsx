import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { crashOfApp } from '../../slices/apps/crashes.ts';
import { ownAppOfSource } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppControls } from '../run/AppControls.tsx';
import { CardCrash } from '../run/CrashNote.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { appStateText } from '../run/run-text.ts';
import { UpdateButton } from '../versions/UpdateButton.tsx';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';
import { isUpdatable } from '../versions/version-text.ts';
import { AppCardFrame } from './AppCardFrame.tsx';
import { AppMenu } from './AppMenu.tsx';

export function AppCard({ app }: { readonly app: InstalledApp }) {
  return (
    <AppCardFrame app={app} href={hrefOf('apps', { appName: app.name })} state={<AppState app={app} />}>
      <AppControls app={app} menu={<AppMenu app={app} withPages />} />
      <RunNotes name={app.name} />
      <CardCrash name={app.name} />
      <RefusalNote commandKey={`app ${app.name}`} commands={['update', 'rollBack']} />
      <UpdateFailure app={app} />
      <AppVersionLine app={app} />
    </AppCardFrame>
  );
}

export function AppVersionLine({ app }: { readonly app: InstalledApp }) {
  const startsByItself = useDashboard((s) => s.startupApp === app.name);
  const isOwn = useDashboard((s) => ownAppOfSource(s.ownApps, app.source) !== undefined);
  const updatable = isUpdatable(app);
  return (
    <p className="app-card-meta">
      <span>
        {app.version} ·{' '}
        {updatable ? (
          'update available'
        ) : (
          <>
            {isOwn && 'from your folder, '}installed <TimeAgo at={app.installedAt} />
          </>
        )}
        {!updatable && app.updateProblem !== null && <span title={app.updateProblem}> · updates unknown</span>}
        {app.pinned && ' · pinned'}
        {startsByItself && ' · starts at wake-up'}
      </span>
      {updatable && <UpdateButton app={app} compact />}
    </p>
  );
}

export function AppState({ app }: { readonly app: InstalledApp }) {
  const slot = useDashboard((s) => s.slot);
  const crash = useDashboard(crashOfApp(app.name));
  const run = runOf(slot, app.name);
  return (
    <span className="row app-state">
      <StateWord {...appStateText(slot, app, crash)} />
      {run?.state === 'running' && <Elapsed since={run.since} />}
    </span>
  );
}
