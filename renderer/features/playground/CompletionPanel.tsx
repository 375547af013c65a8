import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { pathOf } from '../endpoint-requests/example-request.ts';
import { RequestForm } from './RequestForm.tsx';
import { continuationOf } from './replies.ts';

/** A model without a chat template has no end of its own. */
const MAX_TOKENS = 128;

/** Has a model continue a text. */
export function CompletionPanel({ detail }: { readonly detail: EndpointDetail }) {
  const [text, setText] = useState('Once upon a time');
  return (
    <RequestForm
      detail={detail}
      name="Continuation of a text"
      action="Continue"
      path={pathOf('completion')}
      body={JSON.stringify({ model: detail.endpoint.model.repository, prompt: text, max_tokens: MAX_TOKENS })}
      isReady={text !== ''}
      read={continuationOf}
      inFull={(result) => (
        <section className="stack" aria-label="Continuation" role="status">
          <Foreign as="div" className="chat-text">
            {result === '' ? '(nothing)' : result}
          </Foreign>
        </section>
      )}
    >
      <Textarea
        label="Text"
        description={`The model continues it, by at most ${MAX_TOKENS} tokens.`}
        autosize
        minRows={4}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </RequestForm>
  );
}
