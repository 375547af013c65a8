import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { decimals } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { addressInPage, pathOf } from '../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../endpoint-requests/WakeNote.tsx';
import { rankingOf } from './ranking.ts';
import { useSending } from './use-sending.ts';

const MAX_DOCUMENTS = 200;

/** Ranks texts by their relevance to a question. */
export function RerankPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const [query, setQuery] = useState('Who waves?');
  const [text, setText] = useState('A robot waves.\nIt rains.');
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, result, error, send, stop } = useSending(rankingOf);
  const connected = useDashboard(isConnected);
  const documents = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_DOCUMENTS);
  const body = JSON.stringify({ model: endpoint.model.repository, query, documents });
  const request = { method: 'POST', url: endpoint.status.url + pathOf('rerank'), body };
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) stop();
    else {
      setAsked(documents);
      send({ ...request, url: addressInPage(request.url) });
    }
  }
  return (
    <form className="card stack" aria-label="Ranking of texts" onSubmit={submit}>
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
      <WakeNote detail={detail} noun="request" waiting={isBusy} />
      <div>
        <Button type="submit" disabled={!isBusy && (!connected || query.trim() === '' || documents.length === 0)}>
          {isBusy ? 'Stop' : 'Rank'}
        </Button>
      </div>
      {error !== null && <Note tone="failed" urgent title={error} />}
      {result && (
        <ol className="ranking" aria-label="Texts, the most relevant first">
          {result.map(({ index, score }) => (
            <li key={index}>
              <span className="mono ranking-score">{decimals(score, 3)}</span>
              <Foreign as="span">{asked[index] ?? `Text ${index + 1}`}</Foreign>
            </li>
          ))}
        </ol>
      )}
      <RequestAsCode
        request={{ ...request, needsToken: endpoint.type !== 'public' }}
        isOpen={isOpen}
        onOpen={setIsOpen}
      />
    </form>
  );
}
