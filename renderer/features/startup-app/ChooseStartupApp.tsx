import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StartupAppChooser } from './StartupAppChooser.tsx';
import './choose-startup-app.css';

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
      <Modal opened={opened} onClose={close} title="Startup app" closeButtonProps={{ 'aria-label': 'Close' }}>
        <div className="stack">
          {isEmpty ? (
            <p>
              No app is installed. <a href={hrefOf('apps', { tab: 'samples' })}>Install one</a>, then choose it here.
            </p>
          ) : (
            <StartupAppChooser />
          )}
          <div className="row dialog-actions">
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
