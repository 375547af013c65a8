import { useState } from 'react';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import type { CardProblem, GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefreshIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { graphicsCardsKey } from '../../slices/models/graphics-cards.ts';
import { useAgainEvery, useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { heldBytes, layersText } from '../endpoints/card-text.ts';
import {
  busyText,
  cardStateText,
  heldOf,
  noCardText,
  switchedOffText,
  triedText,
  tryingText,
  usersOf,
} from './graphics-cards-text.ts';

/** Each look measures the cards in a process of its own. */
const CARDS_MS = 10_000;
const TRY_AGAIN = 'try-again';

/** The graphics cards of this machine, what uses their memory, and why models do not use them. */
export function GraphicsCardsSection({ mayChange }: { readonly mayChange: boolean }) {
  // An endpoint that starts or ends changes what is used.
  const endpoints = useDashboard((s) => JSON.stringify(s.endpointsStatus?.states ?? {}));
  const asked = useAskedAfter<GraphicsCards>(endpoints, graphicsCardsKey, (call, signal) =>
    call('listGraphicsCards', { signal }),
  );
  useAgainEvery(CARDS_MS, asked);
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const trying = useDashboard(isPending('graphics-cards', TRY_AGAIN));
  const [tried, setTried] = useState<GraphicsCards | null>(null);
  // A later problem is another one.
  const isOutdated = tried?.problem?.message !== asked.value?.problem?.message;
  async function tryAgain(): Promise<void> {
    setTried(null);
    const found = await send('graphics-cards', (call) => call('tryGraphicsCardsAgain'), TRY_AGAIN);
    if (!found) return;
    setAnswer(graphicsCardsKey, found);
    setTried(found);
  }
  return (
    <Section
      title="Graphics cards"
      headClass="row bar machine-head"
      beside={
        <span className="muted small" role="status">
          {trying ? tryingText : tried && !isOutdated && triedText(tried)}
        </span>
      }
    >
      <LoadedPart of={asked} failure="The graphics cards could not be looked up" rows={2}>
        {(found) => (
          <>
            {!found.isOn && <SwitchedOff />}
            {found.problem !== null && (
              <ProblemNote
                problem={found.problem}
                onTryAgain={mayChange && found.canTryAgain ? () => void tryAgain() : null}
              />
            )}
            <FoundCards found={found} />
          </>
        )}
      </LoadedPart>
      <RefusalNote commandKey="graphics-cards" commands={[TRY_AGAIN]} />
    </Section>
  );
}

interface ProblemNoteProps {
  readonly problem: CardProblem;
  /** Null: the user may not try, or it would not help. */
  readonly onTryAgain: (() => void) | null;
}

function ProblemNote({ problem: { message, action }, onTryAgain }: ProblemNoteProps) {
  return (
    <Note
      tone="failed"
      title={message}
      actions={
        onTryAgain && (
          <SendButton
            commandKey="graphics-cards"
            command={TRY_AGAIN}
            busy="Trying the graphics card…"
            leftSection={<RefreshIcon size={14} />}
            onClick={onTryAgain}
            copies={callAction('Try again', 'tryGraphicsCardsAgain')}
          >
            Try the graphics card again
          </SendButton>
        )
      }
    >
      <p>{action}</p>
    </Note>
  );
}

function SwitchedOff() {
  return (
    <p>
      {switchedOffText} <a href={hrefOf('settings', { query: 'section=graphics-card' })}>Switch it on in Settings</a>
    </p>
  );
}

function FoundCards({ found }: { readonly found: GraphicsCards }) {
  const { isOn, cards, problem, usagePercent } = found;
  if (cards.length === 0) {
    if (problem !== null || !isOn) return null;
    return <p className="muted">{noCardText}</p>;
  }
  return (
    <>
      <ul className="machine-rows" aria-label="Graphics cards">
        {cards.map((card) => (
          <Card key={card.index} card={card} found={found} />
        ))}
      </ul>
      {usagePercent !== null && cards.length > 1 && (
        <p className="muted small">On average, the cards are {busyText(usagePercent)}.</p>
      )}
    </>
  );
}

interface CardProps {
  readonly card: GraphicsCards['cards'][number];
  readonly found: GraphicsCards;
}

function Card({ card, found }: CardProps) {
  const { index, name, api, driver, sharesMemory } = card;
  const isOne = found.cards.length === 1;
  return (
    <li className="row machine-row machine-program">
      <div className="machine-row-text">
        <p className="machine-name">
          <Foreign>{name}</Foreign>
        </p>
        <p className="muted small">
          {!isOne && `Number ${index} · `}
          {driver === null ? 'driver unknown' : <Foreign>{driver}</Foreign>} · {api === 'metal' ? 'Metal' : 'Vulkan'}
          {sharesMemory && ' · its memory is part of the memory of this machine'}
        </p>
      </div>
      <StateWord {...cardStateText(card, found)} />
      {/* One that cannot be used was not measured; one that is switched off neither, but its endpoints are known. */}
      {found.problem === null && (found.isOn || card.users.length > 0) && (
        <div className="machine-row-more">
          <CardMemory card={card} busy={isOne && found.usagePercent !== null ? busyText(found.usagePercent) : null} />
        </div>
      )}
    </li>
  );
}

/** @param busy how much it computes; null: unknown */
function CardMemory({ card, busy }: { readonly card: CardProps['card']; readonly busy: string | null }) {
  const { name, totalBytes } = card;
  const { byModels, byOthers } = heldOf(card);
  const memory = `${byteTextOf(byModels + byOthers, totalBytes)} of memory in use`;
  const share = (bytes: number) => ({ width: `${totalBytes > 0 ? (100 * bytes) / totalBytes : 0}%` });
  return (
    <>
      {/* The text below has the figures. */}
      <div className="card-memory" aria-hidden="true">
        <span className="card-memory-models" style={share(byModels)} />
        <span className="card-memory-others" style={share(byOthers)} />
      </div>
      <p className="small">
        {memory}
        {busy !== null && ` · ${busy}`}
      </p>
      {(byModels > 0 || byOthers > 0) && (
        <ul className="card-users" aria-label={`What uses the memory of ${name}`}>
          {usersOf(card).map(({ id, name: user, uses }) => (
            <li key={id}>
              <span className="card-user card-user-model">
                <a className="mono anywhere" href={hrefOf('models', { endpointId: id })} title={id}>
                  {user}
                </a>
              </span>
              <span className="muted small">{layersText(uses)}</span>
              <span className="card-user-bytes">{byteText(heldBytes(uses))}</span>
            </li>
          ))}
          {byOthers > 0 && (
            <li>
              <span className="card-user card-user-others">Other programs</span>
              <span className="card-user-bytes">{byteText(byOthers)}</span>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
