import { Loader } from '@mantine/core';
import type { MoveKind, OwnMove } from '../../../daemon/contract/robot/moves.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { callAction, CopyMenu } from '../../parts/CopyMenu.tsx';
import { StartIcon, StopIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { playBlockedReason, playCommand } from '../../slices/robot/robot-commands.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { moveDuration, moveTitle } from './moves-text.ts';
import './moves-panel.css';

const HINT_ID = 'moves-hint';

export function MovesPanel() {
  const asked = useAsked(['moves'], (call, signal) => call('listMoves', { signal }));
  return (
    <section className="card stack moves-panel" aria-label="Moves">
      <MovesHint />
      <LoadedPart of={asked} failure="The moves could not be loaded" rows={8}>
        {(moves) => (
          <>
            <RefusalNote commandKey="robot" commands={moves.map(({ name }) => playCommand(name))} />
            {moves.length === 0 && <p className="muted">The robot has no moves of its own.</p>}
            <MoveList title="Emotions" kind="emotion" moves={moves} />
            <MoveList title="Dances" kind="dance" moves={moves} />
          </>
        )}
      </LoadedPart>
    </section>
  );
}

/** Says why no move can be played, else what a press does. Never empty, so that nothing jumps. */
function MovesHint() {
  const reason = useDashboard((s) => s.robot && playBlockedReason(s.robot, holderOf(s)));
  return (
    <p id={HINT_ID} className="muted small">
      {reason ?? 'The robot plays one at a time; another takes its place.'}
    </p>
  );
}

/** The duration of a move; that it plays, while it does. */
function MoveTime({ move }: { readonly move: OwnMove }) {
  const playing = useDashboard((s) => s.robot?.move === move.name);
  return playing ? (
    <span className="move-time playing small">Playing</span>
  ) : (
    <span className="move-time mono muted small">{moveDuration(move)}</span>
  );
}

interface MoveListProps {
  readonly title: string;
  readonly kind: MoveKind;
  readonly moves: readonly OwnMove[];
}

function MoveList({ title, kind, moves }: MoveListProps) {
  const shown = moves.filter((move) => move.kind === kind);
  if (shown.length === 0) return null;
  const titleId = `moves-${kind}`;
  return (
    <div>
      <h2 id={titleId}>{title}</h2>
      <ul className="move-list" aria-labelledby={titleId}>
        {shown.map((move) => (
          <li key={move.name}>
            <MoveButton name={move.name} describedBy={HINT_ID} />
            <span className="move-description muted small">{move.description}</span>
            <MoveTime move={move} />
            <CopyMenu
              compact
              of={moveTitle(move.name)}
              actions={[callAction('Play', 'playMove', { params: { name: move.name }, body: {} })]}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MoveButtonProps {
  readonly name: string;
  /** The id of the element that says why no move can be played. */
  readonly describedBy: string;
}

/**
 * Plays a move, and stops it while it plays. While the daemon would refuse it, the button is `aria-disabled` with the
 * reason, not `disabled`, so that it keeps the focus.
 */
function MoveButton({ name, describedBy }: MoveButtonProps) {
  const playMove = useDashboard((s) => s.playMove);
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  const playing = useDashboard((s) => s.robot?.move === name);
  const reason = useDashboard((s) => s.robot && playBlockedReason(s.robot, holderOf(s)));
  const { pending, blocked: cannotSend } = useCommand('robot', playCommand(name));
  const blocked = cannotSend || (!playing && reason !== null);
  const title = moveTitle(name);
  return (
    <SmallButton
      className={playing ? 'move-button playing' : 'move-button'}
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
    </SmallButton>
  );
}

function icon(pending: boolean, playing: boolean) {
  if (pending) return <Loader size={14} color="currentColor" aria-hidden="true" />;
  return playing ? <StopIcon size={14} /> : <StartIcon size={14} />;
}
