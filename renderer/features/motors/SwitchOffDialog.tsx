import { Button, Modal } from '@mantine/core';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OrderButton } from '../robot-commands/CommandButton.tsx';

interface SwitchOffDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says what happens when nothing holds the robot any more, before it does. */
export function SwitchOffDialog({ opened, onClose }: SwitchOffDialogProps) {
  const orderRobot = useDashboard((s) => s.orderRobot);
  function switchOff(): void {
    onClose();
    void orderRobot('motorsOff');
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
          <OrderButton order="motorsOff" primary onPress={switchOff}>
            Switch off and let it sink
          </OrderButton>
        </div>
      </div>
    </Modal>
  );
}
