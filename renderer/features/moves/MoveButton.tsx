import { Button, Loader } from '@mantine/core';
import { StartIcon, StopIcon } from '../../parts/icons.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { playBlockedReason, playCommand } from '../../slices/robot/robot-commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { moveTitle } from './moves-text.ts';

interface MoveButtonProps {
  readonly name: string;
  /** The id of the element that says why no move can be played. */
  readonly describedBy: string;
}

/**
 * Plays a move, and stops it while it plays. While the daemon would refuse it, the button is `aria-disabled` with the
 * reason, not `disabled`, so that it keeps the focus.
 */
export function MoveButton({ name, describedBy }: MoveButtonProps) {
  const playMove = useDashboard((s) => s.playMove);
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  const playing = useDashboard((s) => s.robot?.move === name);
  const reason = useDashboard((s) => s.robot && playBlockedReason(s.robot, holderOf(s)));
  const pending = useDashboard(isPending('robot', playCommand(name)));
  const connected = useDashboard(isConnected);
  const blocked = !connected || pending || (!playing && reason !== null);
  const title = moveTitle(name);
  return (
    <Button
      className={playing ? 'move-button playing' : 'move-button'}
      variant="default"
      size="compact-sm"
      justify="flex-start"
      leftSection={icon(pending, playing)}
      data-disabled={blocked}
      aria-busy={pending}
      aria-disabled={blocked}
      aria-describedby={playing ? undefined : describedBy}
      aria-label={`${playing ? 'Stop' : 'Play'} ${title}`}
      title={playing ? undefined : (reason ?? undefined)}
      onClick={() => !blocked && void (playing ? sendRobotCommand('stop') : playMove(name))}
    >
      {title}
    </Button>
  );
}

function icon(pending: boolean, playing: boolean) {
  if (pending) return <Loader size={14} color="currentColor" aria-hidden="true" />;
  return playing ? <StopIcon size={14} /> : <StartIcon size={14} />;
}
