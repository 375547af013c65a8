import { Button, Modal } from '@mantine/core';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { callAction } from '../../parts/CopyMenu.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StopControl } from '../run/StopControl.tsx';

interface RemoveAppDialogProps {
  readonly app: InstalledApp;
  readonly opened: boolean;
  /** Stays on the page, which is not about this app. */
  readonly stay?: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation and lists what a removal deletes, with sizes. */
export function RemoveAppDialog({ app, opened, stay = false, onClose }: RemoveAppDialogProps) {
  const title = useDashboard((s) => titleOf(s, app.name));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <>
          Remove <Foreign>{title}</Foreign>
        </>
      }
    >
      <RemoveApp app={app} stay={stay} onClose={onClose} />
    </Modal>
  );
}

function RemoveApp({ app, stay, onClose }: Omit<RemoveAppDialogProps, 'opened'>) {
  const { name } = app;
  const title = useDashboard((s) => titleOf(s, name));
  const { value: disk } = useAsked(['disk', name], (call, signal) =>
    call('getAppDisk', { params: { appName: name }, signal }),
  );
  const startsByItself = useDashboard((s) => s.startupApp === name);
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);

  async function remove(): Promise<void> {
    if ((await sendAppCommand(name, 'remove')) && !stay) navigate(hrefOf('apps'));
  }

  const sum = disk && disk.environment + disk.previous + disk.files;
  return (
    <div className="stack">
      <p>Also deletes everything the app saved{app.previous && ', and its earlier version'}. This cannot be undone.</p>
      <dl className="facts">
        <Fact name="Environment">{sizeText(disk?.environment)}</Fact>
        {app.previous && <Fact name="Earlier version">{sizeText(disk?.previous)}</Fact>}
        <Fact name="Saved files">{sizeText(disk?.files)}</Fact>
      </dl>
      {startsByItself && <p>It is the startup app: afterwards no app starts when the robot wakes up.</p>}
      {running && (
        <div className="row">
          <p>It is running. Stop it first.</p>
          <StopControl compact />
        </div>
      )}
      <RefusalNote commandKey={`app ${name}`} commands={['remove']} />
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <SendButton
          commandKey={`app ${name}`}
          disabled={running}
          primary
          onClick={() => void remove()}
          copies={callAction('Remove', 'removeApp', { params: { appName: name } })}
        >
          Remove <Foreign>{title}</Foreign>
          {sum !== null && ` and its ${byteText(sum)}`}
        </SendButton>
      </div>
    </div>
  );
}

const sizeText = (bytes: number | undefined): string => (bytes === undefined ? '…' : byteText(bytes));
