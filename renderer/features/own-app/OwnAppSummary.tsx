import { useState } from 'react';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { ActionMenu } from '../../parts/ActionMenu.tsx';
import { RemoveIcon } from '../../parts/icons.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppEmoji } from '../app-card/AppCardFrame.tsx';
import { OwnAppControls } from '../own-apps/OwnAppControls.tsx';
import { OwnAppState } from '../own-apps/OwnAppState.tsx';
import { FolderLine } from './FolderLine.tsx';
import { ForgetDialog } from './ForgetDialog.tsx';
import { OwnAppNotes } from './OwnAppNotes.tsx';

/** The app's name and version, the state of its run, and the controls that run it. */
export function OwnAppSummary({ app }: { readonly app: OwnApp }) {
  const { name, title, version, emoji, exists } = app;
  return (
    <section className="card app-summary" aria-label={title}>
      <div className="app-summary-line">
        <AppEmoji emoji={emoji} />
        <div className="app-card-names">
          <p className="mono">{[name, version].filter((text) => text !== null).join(' ') || '–'}</p>
          <OwnAppState app={app} />
        </div>
        <OwnAppControls app={app} primary={exists} menu={<Menu app={app} />} />
      </div>
      <FolderLine app={app} />
      <OwnAppNotes app={app} />
    </section>
  );
}

function Menu({ app }: { readonly app: OwnApp }) {
  const [removing, setRemoving] = useState(false);
  const connected = useDashboard(isConnected);
  const isInstalled = useDashboard((s) => s.installedApps.some(({ name }) => name === app.name));
  const installedPage =
    isInstalled && app.name !== null
      ? [{ title: 'Runs, variables and models', act: hrefOf('apps', { appName: app.name }) }]
      : [];
  const forget = {
    title: 'Take off the list…',
    icon: <RemoveIcon size={16} />,
    disabled: !connected,
    act: () => setRemoving(true),
  };
  return (
    <>
      <ActionMenu name={`More for ${app.title}`} actions={[...installedPage, forget]} />
      <ForgetDialog app={app} opened={removing} onClose={() => setRemoving(false)} />
    </>
  );
}
