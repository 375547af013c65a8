import { Button, Modal } from '@mantine/core';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { navigate } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OwnAppControls } from '../own-apps/OwnAppControls.tsx';
import { hrefOfOwnApps } from '../own-apps/own-apps-address.ts';

interface ForgetDialogProps {
  readonly app: OwnApp;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Takes an app off the list, and says that its folder stays. */
export function ForgetDialog({ app, opened, onClose }: ForgetDialogProps) {
  const { id, title, folder, run } = app;
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const pending = useDashboard(isPending(`own-app ${id}`, 'forget'));
  const connected = useDashboard(isConnected);
  const isOn = run.state !== 'off';
  async function forget(): Promise<void> {
    if (await sendOwnAppCommand(id, 'forget')) navigate(hrefOfOwnApps());
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <>
          Take <Foreign>{title}</Foreign> off the list
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className="stack">
        <p>
          The folder <Foreign className="mono">{folder}</Foreign> stays as it is, and so does what is installed or
          published. Add the folder to have it here again.
        </p>
        {isOn && (
          <div className="row">
            <p>It runs from its folder. Stop it first.</p>
            <OwnAppControls app={app} />
          </div>
        )}
        <RefusalNote commandKey={`own-app ${id}`} commands={['forget']} />
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button disabled={!connected || pending || isOn} loading={pending} onClick={() => void forget()}>
            Take off the list
          </Button>
        </div>
      </div>
    </Modal>
  );
}
