import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOfOwnApps } from '../../navigation/own-app-address.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { ActionMenu } from '../../parts/actions/ActionMenu.tsx';
import { CopyButton, SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RemoveIcon } from '../../parts/icons.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OwnAppControls, OwnAppState } from '../own-apps/OwnAppControls.tsx';
import { OwnAppNotes } from './OwnAppNotes.tsx';
import { runsFromFolderText } from './own-app-page-text.ts';

/** The app's name and version, the state of its run, and the controls that run it. */
export function OwnAppSummary({ app }: { readonly app: OwnApp }) {
  const { name, title, version, exists } = app;
  return (
    <section className="card app-summary" aria-label={title}>
      <div className="app-summary-line">
        <AppIcon app={app} />
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

/** Leads to the page of the installed app, and takes the app off the list: says before that its folder stays. */
function Menu({ app }: { readonly app: OwnApp }) {
  const { id, name, title, folder } = app;
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const isOn = app.run.state !== 'off';
  const [removing, setRemoving] = useState(false);
  const connected = useDashboard(isConnected);
  const isInstalled = useDashboard((s) => s.installedApps.some((each) => each.name === name));
  const installedPage =
    isInstalled && name !== null
      ? [{ title: 'Runs, variables and models', act: hrefOf('apps', { appName: name }) }]
      : [];
  const takeOff = {
    title: 'Take off the list…',
    icon: <RemoveIcon size={16} />,
    disabled: !connected,
    act: () => setRemoving(true),
  };
  const close = () => setRemoving(false);
  async function forget(): Promise<void> {
    if (await sendOwnAppCommand(id, 'forget')) navigate(hrefOfOwnApps());
  }
  return (
    <>
      <ActionMenu name={`More for ${title}`} actions={[...installedPage, takeOff]} />
      <Modal
        opened={removing}
        onClose={close}
        title={
          <>
            Take <Foreign>{title}</Foreign> off the list
          </>
        }
      >
        <div className="stack">
          <p>
            The folder <Foreign className="mono">{folder}</Foreign> stays, and so does what is installed or published;
            add the folder to list it again.
          </p>
          {isOn && (
            <div className="row">
              <p>{runsFromFolderText}</p>
              <OwnAppControls app={app} />
            </div>
          )}
          <RefusalNote commandKey={`own-app ${id}`} commands={['forget']} fresh />
          <div className="row dialog-actions">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <SendButton
              commandKey={`own-app ${id}`}
              command="forget"
              disabled={isOn}
              primary
              onClick={() => void forget()}
              copies={callAction('Take off the list', 'forgetOwnApp', { params: { ownAppId: id } })}
            >
              Take off the list
            </SendButton>
          </div>
        </div>
      </Modal>
    </>
  );
}

/** The folder of the app, to open; or to copy, where the daemon shows no windows. */
function FolderLine({ app: { id, folder, exists } }: { readonly app: OwnApp }) {
  const canOpen = useDashboard((s) => s.ownApps.canOpen);
  const openOwnApp = useDashboard((s) => s.openOwnApp);
  return (
    <>
      <div className="row own-folder">
        <Foreign className="mono small own-folder-path" title={folder}>
          {folder}
        </Foreign>
        {canOpen ? (
          <SendButton
            commandKey={`own-app ${id}`}
            command="open"
            disabled={!exists}
            onClick={() => void openOwnApp(id)}
            copies={callAction('Open folder', 'openOwnApp', { params: { ownAppId: id }, body: {} })}
          >
            Open folder
          </SendButton>
        ) : (
          <CopyButton text={() => folder} name="Copy the path of the folder" copied="Path copied" />
        )}
      </div>
      <RefusalNote commandKey={`own-app ${id}`} commands={['open']} />
    </>
  );
}
