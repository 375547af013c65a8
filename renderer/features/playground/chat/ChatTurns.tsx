import { Button } from '@mantine/core';
import { Fragment, memo } from 'react';
import { CopyButton } from '../../../parts/actions/buttons.tsx';
import { Foreign } from '../../../parts/Foreign.tsx';
import { counted, duration } from '../../../parts/format.ts';
import { DownIcon } from '../../../parts/icons.tsx';
import { StateMark } from '../../../parts/notes/StateWord.tsx';
import { useFollowTail } from '../../../parts/use-follow-tail.ts';
import type { ChatState } from './chat-session.ts';
import { answeringText, cutText, forgottenText, noMessagesText, notSentText } from './chat-text.ts';
import type { AnswerEnd, Turn } from './conversation.ts';

/** The messages of a conversation, scrolled to the newest one unless the user reads an earlier one. */
export function ChatTurns({ state }: { readonly state: ChatState }) {
  const { turns, forgotten, sentFrom, isBusy } = state;
  const { box, following, onScroll, jumpToNewest } = useFollowTail(turns);
  const before = turns.findIndex(({ id }) => id === sentFrom);
  return (
    <div className="chat-frame">
      <p className="visually-hidden" role="status">
        {isBusy ? answeringText : announcement(turns)}
      </p>
      <div
        className="chat-turns"
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {turns.length === 0 && <p className="muted chat-none">{noMessagesText}</p>}
        {forgotten > 0 && <p className="chat-divider muted small">{forgottenText(forgotten)}</p>}
        {turns.map((turn, index) => (
          <Fragment key={turn.id}>
            {index === before && index > 0 && <p className="chat-divider muted small">{notSentText(index)}</p>}
            <TurnView turn={turn} />
          </Fragment>
        ))}
      </div>
      {!following && (
        <Button className="output-jump" size="compact-sm" leftSection={<DownIcon size={14} />} onClick={jumpToNewest}>
          Jump to newest
        </Button>
      )}
    </div>
  );
}

function announcement(turns: readonly Turn[]): string {
  const end = turns.at(-1)?.end;
  return end ? (end.error ?? `Answered. ${endText(end)}`) : '';
}

/** A turn never changes once it has ended: it renders again only while it is answered. */
const TurnView = memo(({ turn }: { readonly turn: Turn }) => {
  const { role, text, reasoning, end } = turn;
  return (
    <article className={`chat-turn chat-${role}`} aria-label={role === 'user' ? 'You' : 'Answer'}>
      <p className="muted small chat-who" aria-hidden="true">
        {role === 'user' ? 'You' : 'Model'}
      </p>
      {reasoning !== '' && (
        <details className="chat-reasoning">
          <summary className="small">Reasoning</summary>
          <Foreign as="div" className="chat-text muted">
            {reasoning}
          </Foreign>
        </details>
      )}
      {text !== '' && <TurnText text={text} />}
      {role === 'assistant' && end === null && text === '' && <p className="muted">…</p>}
      {end && <TurnEnd end={end} text={text} />}
    </article>
  );
});

/** A long text grows at its end only: the blocks before it never render again. Foreign text, as `Foreign` shows it. */
function TurnText({ text }: { readonly text: string }) {
  return (
    <div className="foreign chat-text" dir="auto">
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(({ text }: { readonly text: string }) => <span>{text}</span>);

const BLOCK = 2_000;

function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  for (let from = 0; from < text.length; ) {
    const isPair = /[\uD800-\uDBFF]/.test(text[from + BLOCK - 1] ?? '');
    const end = from + BLOCK + (isPair ? 1 : 0); // two units of one character stay together
    blocks.push(text.slice(from, end));
    from = end;
  }
  return blocks;
}

function TurnEnd({ end, text }: { readonly end: AnswerEnd; readonly text: string }) {
  return (
    <div className="row chat-end">
      {end.state === 'failed' && (
        <p className="small chat-failed">
          <StateMark tone="failed" />
          <Foreign as="span">{end.error ?? 'It failed.'}</Foreign>
        </p>
      )}
      <p className="muted small">{endText(end)}</p>
      {text !== '' && <CopyButton text={() => text} name="Copy the answer" copied="Copied" />}
    </div>
  );
}

const speedText = (speed: number) => (speed < 10 ? speed.toFixed(1) : Math.round(speed).toLocaleString());

/** `First token after 0.2 s · 41 tokens a second · 120 tokens`. */
function endText(end: AnswerEnd): string {
  const { state, error, firstMs, tokens, tokensPerSecond, isCut, isCutBySetting } = end;
  return [
    state === 'stopped' && (error ?? 'Stopped.'),
    firstMs !== null && `First token after ${firstMs < 1_000 ? `${Math.round(firstMs)} ms` : duration(firstMs)}`,
    tokensPerSecond !== null && `${speedText(tokensPerSecond)} tokens a second`,
    tokens !== null && state !== 'failed' && counted(tokens, 'token'),
    isCut && (isCutBySetting ? cutText.bySetting : cutText.byServer),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}
