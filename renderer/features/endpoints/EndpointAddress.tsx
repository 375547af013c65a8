import type { Endpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CopyButton } from '../../parts/buttons.tsx';
import { accessText, answerText } from './endpoint-text.ts';

/** The address of an endpoint, known from its first moment; whether it answers now, and who may use it. */
export function EndpointAddress({ endpoint: { name, type, status } }: { readonly endpoint: Endpoint }) {
  const notReady = answerText(status.state);
  return (
    <div className="endpoint-address">
      <div className="endpoint-address-line">
        <span className={notReady === null ? 'mono' : 'mono muted'}>{status.url}</span>
        <CopyButton text={() => status.url} name={`Copy the address of ${name}`} copied="Copied" />
      </div>
      <p className="muted small">
        {notReady !== null && <span className="endpoint-not-ready">{notReady} </span>}
        {accessText[type]}
      </p>
    </div>
  );
}
