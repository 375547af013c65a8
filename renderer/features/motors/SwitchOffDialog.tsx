import { Button, Modal } from '@mantine/core';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CommandButton } from '../robot-commands/CommandButton.tsx';

interface SwitchOffDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before the motors stop holding the robot. */
export function SwitchOffDialog({ opened, onClose }: SwitchOffDialogProps) {
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  function switchOff(): void {
    onClose();
    void sendRobotCommand('motorsOff');
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Switch the motors off" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className="stack">
        <p>The head will sink and the antennas will drop: nothing holds them. Support the head with your hand.</p>
        <p className="muted">To lay the robot down gently, put it to sleep instead: it folds first.</p>
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <CommandButton command="motorsOff" primary onPress={switchOff}>
            Switch off and let it sink
          </CommandButton>
        </div>
      </div>
    </Modal>
  );
}
