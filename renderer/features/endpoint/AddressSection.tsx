import { useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { exampleRequest } from '../endpoint-requests/example-request.ts';
import { type Language, languages, snippet, TOKEN_VARIABLE } from '../endpoint-requests/request-snippets.ts';
import { SnippetBox } from '../endpoint-requests/SnippetBox.tsx';
import { EndpointAddress } from '../endpoints/EndpointAddress.tsx';

/** The address of an endpoint, how to get a token, and a request to copy. */
export function AddressSection({ detail }: { readonly detail: EndpointDetail }) {
  const { namespace, endpoint } = detail;
  const [language, setLanguage] = useState<Language>(languages[0].value);
  const createToken = useDashboard((s) => s.daemon?.commands?.createToken ?? 'robot-daemon token create');
  const needsToken = endpoint.type !== 'public';
  return (
    <section className="card stack" aria-labelledby="endpoint-address">
      <h2 id="endpoint-address">Use it</h2>
      <EndpointAddress endpoint={endpoint} />
      {needsToken && (
        <div className="small endpoint-token">
          <p>
            This makes a token for this endpoint alone. The requests below read it from the environment variable{' '}
            <code>{TOKEN_VARIABLE}</code>:
          </p>
          <CommandLine
            command={`${createToken} --scope endpoint:${namespace}/${endpoint.name}`}
            purpose="makes a token"
          />
        </div>
      )}
      <SnippetBox
        name="request"
        language={language}
        onLanguage={setLanguage}
        text={snippet(language, exampleRequest(detail))}
      />
      <p className="muted small">
        Programs for OpenAI’s interface use the base address <span className="mono">{endpoint.status.url}/v1</span>, and
        the model <span className="mono">{endpoint.model.repository}</span>.
      </p>
    </section>
  );
}
