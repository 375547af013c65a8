import { Button, Modal } from '@mantine/core';
import type { CheckFinding, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { fixLabel, placeText } from './own-app-page-text.ts';
import '../../parts/rows.css';

interface FixDialogProps {
  readonly app: OwnApp;
  readonly fixable: readonly CheckFinding[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says which files a repair changes and why, before it does. */
export function FixDialog({ app: { id }, fixable, opened, onClose }: FixDialogProps) {
  const sendOwnAppCommand = useDashboard((s) => s.sendOwnAppCommand);
  const pending = useDashboard(isPending(`own-app ${id}`, 'fix'));
  const connected = useDashboard(isConnected);
  async function fix(): Promise<void> {
    if (await sendOwnAppCommand(id, 'fix')) onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={fixLabel(fixable.length)}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      <div className="stack">
        <p>Only these places of your files are changed:</p>
        <ul className="rows" aria-label="What is changed">
          {fixable.map(({ id: rule, file, line, message, action }) => (
            <li key={`${rule} ${file} ${line} ${message}`}>
              {file !== null && <p className="mono small">{placeText(file, line)}</p>}
              <Foreign as="p">{message}</Foreign>
              {action !== null && (
                <Foreign as="p" className="muted">
                  {action}
                </Foreign>
              )}
            </li>
          ))}
        </ul>
        <RefusalNote commandKey={`own-app ${id}`} commands={['fix']} />
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!connected || pending} loading={pending} onClick={() => void fix()} data-autofocus>
            {fixLabel(fixable.length)}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
