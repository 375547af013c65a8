import { memo, type ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed, TimeAgo } from '../../parts/Times.tsx';
import { runOf, slotAbout } from '../../slices/apps/apps-slice.ts';
import { crashOfApp } from '../../slices/apps/crashes.ts';
import { ownAppOfSource } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppControls } from '../run/AppControls.tsx';
import { StopProgress, StopRefusal } from '../run/RunNotes.tsx';
import { appStateText } from '../run/run-text.ts';
import { UpdateButton } from '../versions/UpdateButton.tsx';
import { isUpdatable } from '../versions/version-text.ts';
import { AppCardFrame } from './AppCardFrame.tsx';
import { AppMenu } from './AppMenu.tsx';
import { type CardMessage, useCardMessage } from './use-card-message.tsx';

/** The card of an installed app. Of hundreds, only those render again that a change is about. */
export const AppCard = memo(function AppCard({ app }: { readonly app: InstalledApp }) {
  const message = useCardMessage(app);
  return (
    <AppCardFrame
      app={app}
      href={hrefOf('apps', { appName: app.name })}
      state={<AppState app={app} />}
      text={message.text}
    >
      <AppCardFoot app={app} message={message} menu={<AppMenu app={app} withPages />} />
    </AppCardFrame>
  );
});

interface AppCardFootProps {
  readonly app: InstalledApp;
  readonly message: CardMessage;
  readonly menu?: ReactNode;
}

/** The controls of an installed app on a card, its last line, the progress of its stop, and what floats over the cards below. */
export function AppCardFoot({ app, message, menu }: AppCardFootProps) {
  const { name } = app;
  const run = useDashboard((s) => runOf(s.slot, name));
  return (
    <>
      <AppControls app={app} menu={menu} />
      {message.line ?? <AppVersionLine app={app} />}
      {run && <StopProgress run={run} />}
      <div className="app-card-float">
        {run && <StopRefusal />}
        <RefusalNote commandKey={`app ${name}`} commands={['update', 'rollBack']} />
        {message.details}
      </div>
    </>
  );
}

export function AppVersionLine({ app }: { readonly app: InstalledApp }) {
  const { startsByItself, isOwn, running } = useDashboard(
    useShallow((s) => ({
      startsByItself: s.startupApp === app.name,
      isOwn: ownAppOfSource(s.ownApps, app.source) !== undefined,
      running: runOf(s.slot, app.name) !== null,
    })),
  );
  const updatable = isUpdatable(app);
  if (updatable && running) {
    return (
      <p className="app-card-meta">
        <UpdateButton app={app} compact />
      </p>
    );
  }
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
  const { slot, crash } = useDashboard(
    useShallow((s) => ({ slot: slotAbout(app.name)(s), crash: crashOfApp(app.name)(s) })),
  );
  const run = runOf(slot, app.name);
  return (
    <span className="row app-state">
      <StateWord {...appStateText(slot, app, crash)} />
      {run?.state === 'running' && <Elapsed since={run.since} />}
    </span>
  );
}
