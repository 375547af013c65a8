import { Loader } from '@mantine/core';
import { useEffect, useEffectEvent, useId } from 'react';
import type { OwnMove } from '../../../daemon/contract/robot/moves.ts';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { StartIcon, StopIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { playBlockedReason, playCommand } from '../../slices/robot/robot-commands.ts';
import { askMoves, movesKey } from '../../slices/robot/robot-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { mayAct } from '../shortcuts/shortcuts.ts';
import { moveDuration, movesHelp, movesWaitText, moveTitle, noMovesText } from './moves-text.ts';
import { waitsFor } from './robot-text.ts';
import './moves-panel.css';

const HINT_ID = 'moves-hint';

export function MovesPanel() {
  const asked = useAsked(movesKey, askMoves);
  const singleKeys = useDashboard((s) => s.singleKeys);
  return (
    <section className="stack moves-panel" aria-label="Moves">
      <MovesHint />
      <LoadedPart of={asked} failure="The moves could not be loaded" rows={8}>
        {(moves) => (
          <>
            <RefusalNote commandKey="robot" commands={moves.map(({ name }) => playCommand(name))} />
            {moves.length === 0 && <p className="muted">{noMovesText}</p>}
            <MoveLists moves={numbered(moves, singleKeys)} />
          </>
        )}
      </LoadedPart>
    </section>
  );
}

/** Says why no move can be played, else what a press does. Never empty, so that nothing jumps. */
function MovesHint() {
  const reason = useDashboard((s) => s.robot && playBlockedReason(s.robot, holderOf(s)));
  const until = useDashboard((s) => s.robot && waitsFor(s.robot, holderOf(s)));
  return (
    <p id={HINT_ID} className="muted small">
      {reason === null ? movesHelp : until === null ? reason : movesWaitText(until)}
    </p>
  );
}

/** The duration of a move; that it plays, while it does. */
function MoveTime({ move }: { readonly move: OwnMove }) {
  const playing = useDashboard((s) => s.robot?.move === move.name);
  return playing ? (
    <span className="playing small">Playing</span>
  ) : (
    <span className="mono muted small">{moveDuration(move)}</span>
  );
}

function MoveLists({ moves }: { readonly moves: readonly NumberedMove[] }) {
  return (
    <>
      <MoveList title="Emotions" moves={moves.filter(({ kind }) => kind === 'emotion')} />
      <MoveList title="Dances" moves={moves.filter(({ kind }) => kind === 'dance')} />
    </>
  );
}

interface MoveListProps {
  readonly title: string;
  readonly moves: readonly NumberedMove[];
}

function MoveList({ title, moves }: MoveListProps) {
  const titleId = `moves-${useId()}`;
  if (moves.length === 0) return null;
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <ul className="move-tiles" aria-labelledby={titleId}>
        {moves.map((move) => (
          <MoveTile key={move.name} move={move} />
        ))}
      </ul>
    </section>
  );
}

/** A move with its key; the others have none. */
interface NumberedMove extends OwnMove {
  readonly digit: string | null;
}

/** In their order on the page, the first nine with a key each, unless single keys are switched off. */
function numbered(moves: readonly OwnMove[], singleKeys: boolean): readonly NumberedMove[] {
  const inOrder = [...moves.filter(({ kind }) => kind === 'emotion'), ...moves.filter(({ kind }) => kind === 'dance')];
  return inOrder.map((move, index) => ({ ...move, digit: singleKeys && index < 9 ? String(index + 1) : null }));
}

/** Whether a move plays, and what a press would do. */
function useMove(name: string) {
  const playMove = useDashboard((s) => s.playMove);
  const sendRobotCommand = useDashboard((s) => s.sendRobotCommand);
  const isPlaying = useDashboard((s) => s.robot?.move === name);
  const reason = useDashboard((s) => s.robot && playBlockedReason(s.robot, holderOf(s)));
  const { pending, blocked: cannotSend } = useCommand('robot', playCommand(name));
  const isBlocked = cannotSend || (!isPlaying && reason !== null);
  const press = () => !isBlocked && void (isPlaying ? sendRobotCommand('stop') : playMove(name));
  return { isPlaying, isBlocked, pending, reason, press };
}

/**
 * Plays a move, and stops it while it plays. While the daemon would refuse it, the button is `aria-disabled` with the
 * reason, not `disabled`, so that it keeps the focus.
 */
function MoveTile({ move }: { readonly move: NumberedMove }) {
  const { name, description, digit } = move;
  const { isPlaying, isBlocked, pending, reason, press } = useMove(name);
  useDigit(digit, press);
  return (
    <li className={`card move-tile${isPlaying ? ' playing' : reason === null ? '' : ' blocked'}`}>
      <button
        type="button"
        className="move-button"
        aria-busy={pending}
        aria-disabled={isBlocked}
        aria-describedby={isPlaying ? undefined : HINT_ID}
        aria-keyshortcuts={digit ?? undefined}
        title={isPlaying ? undefined : (reason ?? undefined)}
        onClick={press}
      >
        {icon(pending, isPlaying)}
        <span>
          <span className="visually-hidden">{isPlaying ? 'Stop' : 'Play'}</span> {moveTitle(name)}
        </span>
      </button>
      {description !== '' && <p className="muted small">{description}</p>}
      <div className="row bar">
        <MoveTime move={move} />
        <span className="row move-more">
          {digit !== null && (
            <span aria-hidden="true">
              <kbd>{digit}</kbd>
            </span>
          )}
          <CopyMenu
            compact
            of={moveTitle(name)}
            actions={[callAction('Play', 'playMove', { params: { name }, body: {} })]}
          />
        </span>
      </div>
    </li>
  );
}

/** Presses the tile by its digit, from anywhere on the page. */
function useDigit(digit: string | null, press: () => void): void {
  const latest = useEffectEvent(press);
  useEffect(() => {
    if (digit === null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (digitOf(event) !== digit || !mayAct(event)) return;
      event.preventDefault();
      latest();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [digit]);
}

/** The digit that is pressed alone: by its character, or by its place without Shift, with which some keyboards write "/" there. */
function digitOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (/^\d$/.test(key)) return key;
  return (!shiftKey && /^Digit(\d)$/.exec(code)?.[1]) || null;
}

function icon(pending: boolean, isPlaying: boolean) {
  if (pending) return <Loader size={14} color="currentColor" aria-hidden="true" />;
  return isPlaying ? <StopIcon size={14} /> : <StartIcon size={14} />;
}
