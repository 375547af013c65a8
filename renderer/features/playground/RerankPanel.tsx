import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { decimals } from '../../parts/format.ts';
import { pathOf } from '../endpoint-requests/example-request.ts';
import { RequestForm } from './RequestForm.tsx';
import { rankingOf } from './replies.ts';

const MAX_DOCUMENTS = 200;

/** Ranks texts by their relevance to a question. */
export function RerankPanel({ detail }: { readonly detail: EndpointDetail }) {
  const [query, setQuery] = useState('Who waves?');
  const [text, setText] = useState('A robot waves.\nIt rains.');
  const [asked, setAsked] = useState<readonly string[]>([]);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const documents = lines.slice(0, MAX_DOCUMENTS);
  return (
    <RequestForm
      detail={detail}
      name="Ranking of texts"
      action="Rank"
      path={pathOf('rerank')}
      body={JSON.stringify({ model: detail.endpoint.model.repository, query, documents })}
      isReady={query.trim() !== '' && documents.length > 0}
      onSend={() => setAsked(documents)}
      read={rankingOf}
      inFull={(ranking) => (
        <ol className="ranking" aria-label="Texts, the most relevant first">
          {ranking.map(({ index, score }) => (
            <li key={index}>
              <span className="mono ranking-score">{decimals(score, 3)}</span>
              <Foreign as="span">{asked[index] ?? `Text ${index + 1}`}</Foreign>
            </li>
          ))}
        </ol>
      )}
    >
      <TextInput label="Question" value={query} onChange={({ currentTarget }) => setQuery(currentTarget.value)} />
      <Textarea
        label="Texts"
        description="One on each line."
        autosize
        minRows={4}
        maxRows={14}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </RequestForm>
  );
}
