import { NativeSelect, Textarea, type TextareaProps, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { decimals, duration } from '../../parts/format.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { type EndpointUse, exampleRequest, pathOf, usageOf } from '../endpoint-requests/example-request.ts';
import { ChatPanel } from './chat/ChatPanel.tsx';
import type { RawReply } from './model-request.ts';
import { continueHelp, documentsHelp, pathText, replyCutText } from './playground-text.ts';
import { RequestForm } from './RequestForm.tsx';
import { continuationOf, rankingOf, similarityOf } from './replies.ts';

const labels: Readonly<Record<EndpointUse, string>> = {
  chat: 'Chat',
  completion: 'Completion',
  embeddings: 'Similarity',
  rerank: 'Ranking',
  raw: 'Any request',
};

/** Tries an endpoint by the way that fits its task, or by any request. */
export function Playground({ detail }: { readonly detail: EndpointDetail }) {
  const usual = usageOf(detail);
  const [chosen, setChosen] = useState(usual);
  const choices: readonly EndpointUse[] = usual === 'raw' ? ['raw', 'chat'] : [usual, 'raw'];
  // Its first start may find out that it has no chats.
  const use = choices.includes(chosen) ? chosen : usual;
  return (
    <div className="stack playground">
      <Segments
        legend="Way to try it"
        choices={choices.map((value) => ({ value, label: labels[value] }))}
        chosen={use}
        onChoose={setChosen}
      />
      {use === 'chat' && <ChatPanel detail={detail} />}
      {use === 'completion' && <CompletionPanel detail={detail} />}
      {use === 'embeddings' && <EmbeddingsPanel detail={detail} />}
      {use === 'rerank' && <RerankPanel detail={detail} />}
      {use === 'raw' && <RawPanel detail={detail} />}
    </div>
  );
}

/** A model without a chat template has no end of its own. */
const MAX_TOKENS = 128;

/** Has a model continue a text. */
function CompletionPanel({ detail }: { readonly detail: EndpointDetail }) {
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
        description={continueHelp(MAX_TOKENS)}
        autosize
        minRows={4}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </RequestForm>
  );
}

/** Compares two texts by their embeddings. */
function EmbeddingsPanel({ detail }: { readonly detail: EndpointDetail }) {
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

const MAX_DOCUMENTS = 200;

/** Ranks texts by their relevance to a question. */
function RerankPanel({ detail }: { readonly detail: EndpointDetail }) {
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
        description={documentsHelp}
        autosize
        minRows={4}
        maxRows={14}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </RequestForm>
  );
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends any request to an endpoint, and shows the reply. */
function RawPanel({ detail }: { readonly detail: EndpointDetail }) {
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
          error={isPath ? null : pathText}
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
            <Fact key={name} name={name} mono>
              {value}
            </Fact>
          ))}
        </dl>
      </details>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="snippet-text raw-body" dir="auto" tabIndex={0} aria-label="Body of the reply">
        <pre>{text === '' ? '(empty)' : text}</pre>
      </section>
      {isCut && <p className="muted small">{replyCutText}</p>}
    </section>
  );
}
