import { Button, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { chatBody } from '../../../../daemon/client/chat-stream.ts';
import type { Endpoint, EndpointDetail } from '../../../../daemon/contract/endpoints/endpoint.ts';
import { SmallButton } from '../../../parts/actions/buttons.tsx';
import { ClearIcon, StartIcon, StopIcon } from '../../../parts/icons.tsx';
import { isConnected } from '../../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../../store/use-dashboard.ts';
import { addressInPage, pathOf } from '../../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../../endpoint-requests/WakeNote.tsx';
import { ChatTurns } from './ChatTurns.tsx';
import { ChatSession, numberOf, settingsProblems } from './chat-session.ts';
import { chatHelp } from './chat-text.ts';
import { type ChatSettings, ConversationStorage } from './conversation.ts';

/** A conversation with an endpoint, which stays in this browser. */
export function ChatPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const contextSize = useContextSize(endpoint);
  const session = useChatSession(detail, contextSize.known);
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [text, setText] = useState('');
  const [isRequestOpen, setIsRequestOpen] = useState(false);
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
  /** The request of the conversation as a program, with the message that is being typed. */
  const request = () => ({
    method: 'POST',
    url: endpoint.status.url + pathOf('chat'),
    needsToken: endpoint.type !== 'public',
    body: JSON.stringify(
      chatBody({
        model: endpoint.model.repository,
        messages: session.nextMessages(text),
        temperature: numberOf(state.settings.temperature),
        maxTokens: numberOf(state.settings.maxTokens),
      }),
    ),
  });
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
        <p className="muted small">{chatHelp}</p>
        <SmallButton
          leftSection={<ClearIcon size={14} />}
          disabled={state.turns.length === 0}
          onClick={() => {
            session.clear();
            box.current?.focus();
          }}
        >
          Clear the conversation
        </SmallButton>
      </div>
      <RequestAsCode
        request={isRequestOpen && !state.isBusy ? request() : null}
        isOpen={isRequestOpen}
        onOpen={setIsRequestOpen}
      />
    </section>
  );
}

function useChatSession({ namespace, endpoint }: EndpointDetail, contextTokens: () => number | null): ChatSession {
  const loadSession = useDashboard((s) => s.loadSession);
  const { name, model, status } = endpoint;
  const [session] = useState(
    () =>
      new ChatSession({
        url: addressInPage(status.url),
        model: model.repository,
        storage: new ConversationStorage(`${namespace}/${name} ${status.createdAt}`),
        contextTokens,
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

interface ChatSettingsFieldsProps {
  readonly settings: ChatSettings;
  readonly onChange: (change: Partial<ChatSettings>) => void;
}

/** The system prompt and the settings of the answers. Empty fields leave them to the model server. */
function ChatSettingsFields({ settings, onChange }: ChatSettingsFieldsProps) {
  const { system, temperature, maxTokens } = settings;
  const problems = settingsProblems(settings);
  return (
    <div className="chat-settings">
      <Textarea
        className="chat-system"
        label="System prompt"
        placeholder="None"
        autosize
        minRows={1}
        maxRows={6}
        value={system}
        onChange={({ currentTarget }) => onChange({ system: currentTarget.value })}
      />
      <TextInput
        label="Temperature"
        placeholder="Default"
        inputMode="decimal"
        value={temperature}
        error={problems.temperature}
        onChange={({ currentTarget }) => onChange({ temperature: currentTarget.value })}
        autoComplete="off"
      />
      <TextInput
        label="Longest answer"
        placeholder="Default"
        rightSection={<span className="muted small">tokens</span>}
        rightSectionWidth={58}
        inputMode="numeric"
        value={maxTokens}
        error={problems.maxTokens}
        onChange={({ currentTarget }) => onChange({ maxTokens: currentTarget.value })}
        autoComplete="off"
      />
    </div>
  );
}

/** The size of the endpoint's context in tokens, as far as it is known. */
function useContextSize({ status, model }: Endpoint) {
  const [size] = useState(() => contextSizeOf(addressInPage(status.url), contextOfEach(model)));
  useEffect(() => size.forget, [size]);
  return size;
}

/** The parallel requests share the context that is set for them. */
function contextOfEach({ image: { llamacpp } }: Endpoint['model']): number | null {
  return llamacpp?.ctxSize ? Math.floor(llamacpp.ctxSize / (llamacpp.nParallel || 1)) : null;
}

function contextSizeOf(url: string, setting: number | null) {
  let known = setting;
  let asking: AbortController | null = null;
  return {
    /** In tokens; null: unknown. */
    known: () => known,
    /** Asks the model server, until it has answered. For a time when it is used anyway, since a question wakes it. */
    ask: () => {
      if (asking) return;
      asking = new AbortController();
      const { signal } = asking;
      void contextSize(url, signal).then((size) => {
        if (size !== null) known = size;
        else asking = null; // it is asked again
      });
    },
    forget: () => asking?.abort(),
  };
}

/** Asks the model server in the ways of those that are known. null: it does not say. */
async function contextSize(url: string, signal: AbortSignal): Promise<number | null> {
  const models = await asked(`${url}/v1/models`, signal);
  const [first] = Array.isArray(models?.['data']) ? (models['data'] as readonly Json[]) : [];
  const stated = positive(objectAt(first, 'meta')?.['n_ctx']) ?? positive(first?.['max_model_len']);
  if (stated !== null) return stated;
  const props = await asked(`${url}/props`, signal);
  return positive(objectAt(props, 'default_generation_settings')?.['n_ctx']);
}

type Json = Readonly<Record<string, unknown>>;

async function asked(url: string, signal: AbortSignal): Promise<Json | null> {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? ((await response.json()) as Json | null) : null;
  } catch {
    return null; // it has ended, or says nothing
  }
}

function objectAt(value: Json | null | undefined, key: string): Json | null {
  const found = value?.[key];
  return typeof found === 'object' && found !== null ? (found as Json) : null;
}

const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
