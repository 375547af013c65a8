import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { addressInPage, pathOf } from '../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../endpoint-requests/WakeNote.tsx';
import { continuationOf } from './continuation.ts';
import { useSending } from './use-sending.ts';

/** A model without a chat template has no end of its own. */
const MAX_TOKENS = 128;

/** Has a model continue a text. */
export function CompletionPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const [text, setText] = useState('Once upon a time');
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, result, error, send, stop } = useSending(continuationOf);
  const connected = useDashboard(isConnected);
  const body = JSON.stringify({ model: endpoint.model.repository, prompt: text, max_tokens: MAX_TOKENS });
  const request = { method: 'POST', url: endpoint.status.url + pathOf('completion'), body };
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) stop();
    else send({ ...request, url: addressInPage(request.url) });
  }
  return (
    <form className="card stack" aria-label="Continuation of a text" onSubmit={submit}>
      <Textarea
        label="Text"
        description={`The model continues it, by at most ${MAX_TOKENS} tokens.`}
        autosize
        minRows={4}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <WakeNote detail={detail} noun="request" waiting={isBusy} />
      <div>
        <Button type="submit" disabled={!isBusy && (!connected || text === '')}>
          {isBusy ? 'Stop' : 'Continue'}
        </Button>
      </div>
      {error !== null && <Note tone="failed" urgent title={error} />}
      {result !== null && (
        <section className="stack" aria-label="Continuation" role="status">
          <Foreign as="div" className="chat-text">
            {result === '' ? '(nothing)' : result}
          </Foreign>
        </section>
      )}
      <RequestAsCode
        request={{ ...request, needsToken: endpoint.type !== 'public' }}
        isOpen={isOpen}
        onOpen={setIsOpen}
      />
    </form>
  );
}
