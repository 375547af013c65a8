import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { duration } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { addressInPage, exampleRequest } from '../endpoint-requests/example-request.ts';
import { RequestAsCode } from '../endpoint-requests/SnippetBox.tsx';
import { WakeNote } from '../endpoint-requests/WakeNote.tsx';
import type { RawReply } from './model-request.ts';
import { useSending } from './use-sending.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends any request to an endpoint, and shows the reply. */
export function RawPanel({ detail }: { readonly detail: EndpointDetail }) {
  const { endpoint } = detail;
  const example = exampleRequest(detail);
  const [method, setMethod] = useState(example.method);
  const [path, setPath] = useState(example.url.slice(endpoint.status.url.length));
  const [body, setBody] = useState(example.body ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, result, error, send, stop } = useSending((reply) => reply);
  const connected = useDashboard(isConnected);
  const hasBody = method !== 'GET';
  const sent = hasBody && body !== '' ? body : null;
  const isPath = path.startsWith('/') && !path.split(/[?#]/)[0]?.split('/').includes('..');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) stop();
    else if (isPath) send({ method, url: addressInPage(endpoint.status.url) + path, body: sent });
  }
  return (
    <form className="card stack" aria-label="Any request" onSubmit={submit}>
      <div className="raw-line">
        <NativeSelect
          label="Method"
          data={methods}
          value={method}
          onChange={({ currentTarget }) => setMethod(currentTarget.value)}
        />
        <TextInput
          className="raw-path"
          label="Path"
          classNames={{ input: 'mono' }}
          value={path}
          error={isPath ? null : 'A path within the endpoint: it begins with “/”.'}
          onChange={({ currentTarget }) => setPath(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {hasBody && (
        <Textarea
          label="Body"
          classNames={{ input: 'mono' }}
          autosize
          minRows={4}
          maxRows={16}
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
          spellCheck={false}
        />
      )}
      <WakeNote detail={detail} noun="request" waiting={isBusy} />
      <div>
        <Button type="submit" disabled={!isBusy && (!connected || !isPath)}>
          {isBusy ? 'Stop' : 'Send'}
        </Button>
      </div>
      {error !== null && <Note tone="failed" urgent title={error} />}
      {result && <Reply reply={result} />}
      <RequestAsCode
        request={{ method, url: endpoint.status.url + path, body: sent, needsToken: endpoint.type !== 'public' }}
        isOpen={isOpen}
        onOpen={setIsOpen}
      />
    </form>
  );
}

function Reply({ reply }: { readonly reply: RawReply }) {
  const { status, statusText, tookMs, headers, text, isCut } = reply;
  return (
    <section className="stack" aria-label="Reply">
      <p role="status">
        <strong>
          {status} {statusText}
        </strong>{' '}
        <span className="muted small">after {duration(tookMs)}</span>
      </p>
      <details>
        <summary className="small">Headers</summary>
        <dl className="facts">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="snippet-text raw-body" dir="auto" tabIndex={0} aria-label="Body of the reply">
        <pre>{text === '' ? '(empty)' : text}</pre>
      </section>
      {isCut && <p className="muted small">The reply is longer; this is its beginning.</p>}
    </section>
  );
}
