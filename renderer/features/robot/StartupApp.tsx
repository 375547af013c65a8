import { Button, Modal, NativeSelect, Switch } from '@mantine/core';
import { useState } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { useCopyOnContext } from '../../parts/actions/CopyOnContext.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { startupTitle } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { otherStartupText, savedAtOnceText, startupHelp } from './robot-text.ts';
import './startup-app.css';

/** A button in a sentence that opens the choice of the startup app. It stays after the choice, to change it. */
export function ChooseStartupApp() {
  const isChosen = useDashboard((s) => s.startupApp !== null);
  const isEmpty = useDashboard((s) => s.installedApps.length === 0 && s.startupApp === null);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpened(true)}>
        {isChosen ? 'Choose another' : 'Choose one'}
      </button>
      <Modal opened={opened} onClose={close} title="When the robot wakes up">
        <div className="stack">
          {isEmpty ? (
            <p>
              No app is installed. <a href={hrefOf('apps', { tab: 'samples' })}>Install one</a>, then choose it here.
            </p>
          ) : (
            <StartupAppChooser />
          )}
          <div className="row dialog-actions">
            {!isEmpty && <span className="muted small">{savedAtOnceText}</span>}
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}

/** Chooses the startup app among the installed ones, or none. Shows the daemon's state, so it changes when it is saved. */
export function StartupAppChooser() {
  const chosen = useDashboard((s) => s.startupApp);
  const apps = useDashboard((s) => s.installedApps);
  const setStartup = useDashboard((s) => s.setStartup);
  const connected = useDashboard(isConnected);
  const options = apps
    .map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Chosen, and still being installed.
  const missing = chosen !== null && !apps.some(({ name }) => name === chosen) ? [chosen] : [];
  function choose(name: string): void {
    if (name !== '') void setStartup(name, true);
    else if (chosen !== null) void setStartup(chosen, false);
  }
  return (
    <div className="stack">
      <NativeSelect
        size="md"
        label="Startup app"
        description={startupHelp}
        data={[{ value: '', label: 'None' }, ...options, ...missing]}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        disabled={!connected}
        data-autofocus
      />
      <RefusalNote commandKey="startup" stays fresh />
    </div>
  );
}

const LABEL = 'Start when the robot wakes up';

/** Makes the app the startup app. Shows the daemon's state, so it moves when the change is saved. */
export function StartupAppSwitch({ name }: { readonly name: string }) {
  const chosen = useDashboard((s) => s.startupApp);
  const chosenTitle = useDashboard(startupTitle);
  const refusal = useDashboard(refusalOf('startup', [name]));
  const setStartup = useDashboard((s) => s.setStartup);
  const { pending, blocked } = useCommand('startup');
  const another = chosenTitle !== null && chosen !== name;
  const body = { startupApp: chosen === name ? null : name };
  const { onContextMenu, menu } = useCopyOnContext(callAction('Switch', 'setStartupApp', { body }));
  return (
    <div className="stack">
      <Switch
        checked={chosen === name}
        onChange={(event) => void setStartup(name, event.currentTarget.checked)}
        disabled={blocked}
        aria-busy={pending}
        label={LABEL}
        // Without it, the accessible name would include the description.
        aria-label={LABEL}
        description={another ? otherStartupText(chosenTitle) : startupHelp}
        wrapperProps={{ onContextMenu }}
      />
      {menu}
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
    </div>
  );
}
