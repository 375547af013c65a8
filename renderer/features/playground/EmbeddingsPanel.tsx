import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { decimals, duration } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { addressInPage, pathOf } from '../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../endpoint-requests/WakeNote.tsx';
import { similarityOf } from './embeddings.ts';
import { useSending } from './use-sending.ts';

/** Compares two texts by their embeddings. */
export function EmbeddingsPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const [texts, setTexts] = useState<readonly [string, string]>(['A robot waves.', 'A machine says hello.']);
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, result, error, send, stop } = useSending(similarityOf);
  const connected = useDashboard(isConnected);
  const body = JSON.stringify({ model: endpoint.model.repository, input: texts });
  const request = { method: 'POST', url: endpoint.status.url + pathOf('embeddings'), body };
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) stop();
    else send({ ...request, url: addressInPage(request.url) });
  }
  const isEmpty = texts.some((text) => text.trim() === '');
  return (
    <form className="card stack" aria-label="Similarity of two texts" onSubmit={submit}>
      <div className="playground-texts">
        <Textarea
          label="First text"
          autosize
          minRows={3}
          maxRows={12}
          value={texts[0]}
          onChange={({ currentTarget }) => setTexts([currentTarget.value, texts[1]])}
        />
        <Textarea
          label="Second text"
          autosize
          minRows={3}
          maxRows={12}
          value={texts[1]}
          onChange={({ currentTarget }) => setTexts([texts[0], currentTarget.value])}
        />
      </div>
      <WakeNote detail={detail} noun="request" waiting={isBusy} />
      <div className="row">
        <Button type="submit" disabled={!isBusy && (!connected || isEmpty)}>
          {isBusy ? 'Stop' : 'Compare'}
        </Button>
        <p role="status">
          {result && (
            <>
              Similarity <strong>{decimals(result.cosine, 3)}</strong>{' '}
              <span className="muted small">
                (1: the same meaning, 0: none in common) · {result.dimensions} dimensions · {duration(result.tookMs)}
              </span>
            </>
          )}
        </p>
      </div>
      {error !== null && <Note tone="failed" urgent title={error} />}
      <RequestAsCode
        request={{ ...request, needsToken: endpoint.type !== 'public' }}
        isOpen={isOpen}
        onOpen={setIsOpen}
      />
    </form>
  );
}
