import { useState } from 'react';
import { chatBody } from '../../../../daemon/client/chat-stream.ts';
import type { Endpoint } from '../../../../daemon/contract/endpoints/endpoint.ts';
import { pathOf } from '../../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../../endpoint-requests/SnippetBox.tsx';
import { type ChatSession, type ChatState, numberOf } from './chat-session.ts';

interface ChatRequestProps {
  readonly endpoint: Endpoint;
  readonly session: ChatSession;
  readonly state: ChatState;
  /** The message that is being typed. */
  readonly text: string;
}

/** The request of the conversation as a program, with the message that is being typed. */
export function ChatRequest({ endpoint, session, state, text }: ChatRequestProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { temperature, maxTokens } = state.settings;
  const request = () => ({
    method: 'POST',
    url: endpoint.status.url + pathOf('chat'),
    needsToken: endpoint.type !== 'public',
    body: JSON.stringify(
      chatBody({
        model: endpoint.model.repository,
        messages: session.nextMessages(text),
        temperature: numberOf(temperature),
        maxTokens: numberOf(maxTokens),
      }),
    ),
  });
  return <RequestAsCode request={isOpen && !state.isBusy ? request() : null} isOpen={isOpen} onOpen={setIsOpen} />;
}
