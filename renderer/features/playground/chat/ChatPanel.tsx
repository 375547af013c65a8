import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { EndpointDetail } from '../../../../daemon/contract/endpoints/endpoint.ts';
import { ClearIcon, StartIcon, StopIcon } from '../../../parts/icons.tsx';
import { isConnected } from '../../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../../store/use-dashboard.ts';
import { addressInPage } from '../../endpoint-requests/example-request.ts';
import { WakeNote } from '../../endpoint-requests/WakeNote.tsx';
import { ChatRequest } from './ChatRequest.tsx';
import { ChatSettingsFields } from './ChatSettingsFields.tsx';
import { ChatTurns } from './ChatTurns.tsx';
import { ChatSession, settingsProblems } from './chat-session.ts';
import { ConversationStorage } from './conversation-storage.ts';
import { type ContextSize, useContextSize } from './use-context-size.ts';

/** A conversation with an endpoint, which stays in this browser. */
export function ChatPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const contextSize = useContextSize(endpoint);
  const session = useChatSession(detail, contextSize);
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [text, setText] = useState('');
  const connected = useDashboard(isConnected);
  const box = useRef<HTMLTextAreaElement>(null);
  const canSend = connected && text.trim() !== '' && Object.keys(settingsProblems(state.settings)).length === 0;

  function send(): void {
    if (state.isBusy || !canSend) return;
    setText('');
    void session.ask(text);
    contextSize.ask();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <section className="card chat" aria-label={`Chat with ${endpoint.name}`}>
      <ChatSettingsFields settings={state.settings} onChange={(change) => session.change(change)} />
      <ChatTurns state={state} />
      <WakeNote detail={detail} noun="message" waiting={state.isWaiting} />
      <div className="chat-composer">
        <Textarea
          ref={box}
          className="chat-input"
          aria-label="Message"
          placeholder="Message"
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          leftSection={state.isBusy ? <StopIcon size={16} /> : <StartIcon size={16} />}
          variant={state.isBusy ? 'default' : 'filled'}
          disabled={!state.isBusy && !canSend}
          onClick={() => (state.isBusy ? session.stop() : send())}
        >
          {state.isBusy ? 'Stop' : 'Send'}
        </Button>
      </div>
      <div className="row chat-foot">
        <p className="muted small">Enter sends, Shift+Enter begins a line. The conversation stays in this browser.</p>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<ClearIcon size={14} />}
          disabled={state.turns.length === 0}
          onClick={() => {
            session.clear();
            box.current?.focus();
          }}
        >
          Clear the conversation
        </Button>
      </div>
      <ChatRequest endpoint={endpoint} session={session} state={state} text={text} />
    </section>
  );
}

function useChatSession({ namespace, endpoint }: EndpointDetail, contextSize: ContextSize): ChatSession {
  const loadSession = useDashboard((s) => s.loadSession);
  const { name, model, status } = endpoint;
  const [session] = useState(
    () =>
      new ChatSession({
        url: addressInPage(status.url),
        model: model.repository,
        storage: new ConversationStorage(`${namespace}/${name} ${status.createdAt}`),
        contextTokens: contextSize.known,
        onUnauthorized: () => void loadSession(),
        nextFrame: (work) => {
          const frame = requestAnimationFrame(work);
          return () => cancelAnimationFrame(frame);
        },
        nowMs: () => performance.now(),
      }),
  );
  useEffect(() => {
    const save = () => session.save();
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      session.stop();
      session.save();
    };
  }, [session]);
  return session;
}
