import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { duration } from '../../parts/format.ts';
import { exampleRequest } from '../endpoint-requests/example-request.ts';
import type { RawReply } from './model-request.ts';
import { RequestForm } from './RequestForm.tsx';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends any request to an endpoint, and shows the reply. */
export function RawPanel({ detail }: { readonly detail: EndpointDetail }) {
  const example = exampleRequest(detail);
  const [method, setMethod] = useState(example.method);
  const [path, setPath] = useState(example.url.slice(detail.endpoint.status.url.length));
  const [body, setBody] = useState(example.body ?? '');
  const hasBody = method !== 'GET';
  const isPath = path.startsWith('/') && !path.split(/[?#]/)[0]?.split('/').includes('..');
  return (
    <RequestForm
      detail={detail}
      name="Any request"
      action="Send"
      method={method}
      path={path}
      body={hasBody && body !== '' ? body : null}
      isReady={isPath}
      read={(reply) => reply}
      inFull={(reply) => <Reply reply={reply} />}
    >
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
    </RequestForm>
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
