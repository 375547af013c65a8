import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointFailure } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { hrefOf } from '../../navigation/route.ts';
import { LinkButton } from '../../parts/actions/buttons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { nextStartText } from './card-text.ts';
import { onProcessorText } from './endpoint-text.ts';

/** The failure of an endpoint that failed, or whose update failed. */
export function failureOf({ endpoint: { status }, report }: OwnEndpoint) {
  return report.failure ?? { message: status.errorMessage ?? status.message, action: '', evidence: [] };
}

/** Why an endpoint failed and what to do, with a link to the place where that is done. Resume is among the controls. */
export function EndpointFailureNote({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { endpoint, report } = ownEndpoint;
  const { state } = endpoint.status;
  if (state !== 'failed' && state !== 'updateFailed') return null;
  const place = report.failure && placeFor(report.failure.reason, ownEndpoint);
  return (
    <FailureNote
      failure={failureOf(ownEndpoint)}
      withEvidence
      actions={place && <LinkButton href={place.href}>{place.label}</LinkButton>}
    />
  );
}

/** Why an endpoint runs on the processor, although it was deployed on the graphics card, and what to do. */
export function NotOnCardNote({ ownEndpoint: { endpoint, report } }: { readonly ownEndpoint: OwnEndpoint }) {
  const { notOnCard, replicas } = report;
  if (notOnCard === null || endpoint.status.state === 'failed') return null;
  return (
    <Note
      tone="busy"
      title={onProcessorText(replicas.length > 0)}
      actions={<LinkButton href={machine}>This machine</LinkButton>}
    >
      <p>
        {notOnCard.message} {notOnCard.action} {nextStartText(notOnCard)}
      </p>
    </Note>
  );
}

const machine = hrefOf('models', { tab: 'machine' });

/** The page on which a failure is put right; null: it is not done on a page. */
export function placeFor(
  reason: EndpointFailure['reason'],
  { endpoint: { model } }: OwnEndpoint,
): { readonly href: string; readonly label: string } | null {
  switch (reason) {
    case 'no-runtime':
    case 'container-engine':
    case 'model-unsupported':
      return { href: machine, label: 'Programs that run models' };
    case 'hub-access':
      return { href: hrefOf('settings'), label: 'See the hub account' };
    case 'no-card-memory':
    case 'graphics-card':
      return { href: machine, label: 'Graphics cards' };
    case 'disk-full':
    case 'model-damaged':
      return { href: machine, label: 'Model files' };
    case 'no-memory':
    case 'model-missing':
      return model.fromCatalog
        ? { href: hrefOf('models', { modelId: model.repository }), label: 'Choose another recipe' }
        : { href: machine, label: 'Choose another file' };
    default:
      return null;
  }
}

/** Whether Resume is the one thing to do after a failure. */
export const isResumeAdvised = ({ report: { failure } }: OwnEndpoint): boolean =>
  failure !== null && ['hub', 'image', 'crashed', 'timeout', 'internal', 'secret-unreadable'].includes(failure.reason);
