import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { blockedReason, type RobotCommand } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface CommandButtonProps {
  readonly command: RobotCommand;
  readonly icon?: ReactNode;
  readonly primary?: boolean;
  readonly compact?: boolean;
  /** The id of the text that says why it cannot be pressed, where one is shown. */
  readonly describedBy?: string;
  /** What a press does, if not give the order at once. */
  readonly onPress?: () => void;
  /** For screen readers, where the word on it needs what it stands beside. */
  readonly name?: string;
  readonly children: string;
}

/**
 * Gives the robot an order. While the daemon would refuse it, it cannot be pressed and says why; it keeps the focus then,
 * since it is soon of use again.
 */
export function CommandButton({
  command,
  icon,
  primary,
  compact,
  describedBy,
  onPress,
  name,
  children,
}: CommandButtonProps) {
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  const reason = useDashboard((s) => s.robot && blockedReason(command, s.robot, holderOf(s)));
  const pending = useDashboard(isPending('robot', command));
  const connected = useDashboard(isConnected);
  const blocked = reason !== null || pending || !connected;
  const press = onPress ?? (() => void sendRobotCommand(command));
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      size={compact ? 'compact-sm' : 'sm'}
      leftSection={icon}
      data-disabled={blocked}
      aria-disabled={blocked}
      aria-describedby={describedBy}
      aria-label={name}
      title={reason ?? undefined}
      onClick={() => !blocked && press()}
    >
      {children}
    </Button>
  );
}
