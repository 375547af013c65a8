import { Textarea, type TextareaProps } from '@mantine/core';
import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { decimals, duration } from '../../parts/format.ts';
import { pathOf } from '../endpoint-requests/example-request.ts';
import { RequestForm } from './RequestForm.tsx';
import { similarityOf } from './replies.ts';

/** Compares two texts by their embeddings. */
export function EmbeddingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const [first, setFirst] = useState('A robot waves.');
  const [second, setSecond] = useState('A machine says hello.');
  return (
    <RequestForm
      detail={detail}
      name="Similarity of two texts"
      action="Compare"
      path={pathOf('embeddings')}
      body={JSON.stringify({ model: detail.endpoint.model.repository, input: [first, second] })}
      isReady={first.trim() !== '' && second.trim() !== ''}
      read={similarityOf}
      inShort={({ cosine, dimensions, tookMs }) => (
        <>
          Similarity <strong>{decimals(cosine, 3)}</strong>{' '}
          <span className="muted small">
            (1: the same meaning, 0: none in common) · {dimensions} dimensions · {duration(tookMs)}
          </span>
        </>
      )}
    >
      <div className="playground-texts">
        <Text label="First text" value={first} onChange={({ currentTarget }) => setFirst(currentTarget.value)} />
        <Text label="Second text" value={second} onChange={({ currentTarget }) => setSecond(currentTarget.value)} />
      </div>
    </RequestForm>
  );
}

const Text = (props: TextareaProps) => <Textarea autosize minRows={3} maxRows={12} {...props} />;
