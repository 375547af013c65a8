import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Segments } from '../../parts/forms/Segments.tsx';
import { type EndpointUse, usageOf } from '../endpoint-requests/example-request.ts';
import { CompletionPanel } from './CompletionPanel.tsx';
import { ChatPanel } from './chat/ChatPanel.tsx';
import { EmbeddingsPanel } from './EmbeddingsPanel.tsx';
import { RawPanel } from './RawPanel.tsx';
import { RerankPanel } from './RerankPanel.tsx';

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
        name="playground-use"
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
