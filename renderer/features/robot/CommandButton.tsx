import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { commandAction } from '../../parts/actions/CopyMenu.tsx';
import { useCopyOnContext } from '../../parts/actions/CopyOnContext.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { blockedReason, type RobotCommand, robotCommands } from '../../slices/robot/robot-commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface CommandButtonProps {
  readonly command: RobotCommand;
  readonly icon?: ReactNode;
  readonly primary?: boolean;
  readonly compact?: boolean;
  /** The id of the element that says why the command is blocked. */
  readonly describedBy?: string;
  /** Replaces sending the command, for example by a confirmation. */
  readonly onPress?: () => void;
  /** The accessible name, if the visible label needs context. */
  readonly name?: string;
  readonly children: string;
}

/**
 * Sends the robot a command, which its context menu copies. While the daemon would refuse it, the button is `aria-disabled`
 * with the reason, not `disabled`, so that it keeps the focus.
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
  const { pending, blocked: cannotSend } = useCommand('robot', command);
  const blocked = reason !== null || cannotSend;
  const { onContextMenu, menu } = useCopyOnContext(commandAction(children, robotCommands[command]));
  const press = onPress ?? (() => void sendRobotCommand(command));
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'default'}
        size={compact ? 'compact-sm' : 'sm'}
        leftSection={icon}
        data-disabled={blocked}
        aria-busy={pending}
        rightSection={pending && <Loader size={14} color="currentColor" aria-hidden="true" />}
        aria-disabled={blocked}
        aria-describedby={describedBy}
        aria-label={name}
        title={reason ?? undefined}
        onClick={() => !blocked && press()}
        onContextMenu={onContextMenu}
      >
        {children}
      </Button>
      {menu}
    </>
  );
}

/** Shows refusals of these commands of the robot. */
export const CommandRefusal = ({ commands }: { readonly commands: readonly RobotCommand[] }) => (
  <RefusalNote commandKey="robot" commands={commands} />
);
