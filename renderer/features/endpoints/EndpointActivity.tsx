import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { transferText } from '../../parts/progress-text.ts';
import { activityText, endpointMessage, stepText, unusedSentence } from './endpoint-text.ts';
import { StartSteps } from './StartSteps.tsx';

/** The state in a sentence, or the progress of a download or of another step. A failure has its own note. */
export function EndpointMessage({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { endpoint, report } = ownEndpoint;
  const transfer = report.progress?.transfer ?? null;
  if (endpoint.status.state === 'failed') return <span />;
  return (
    <p className={transfer?.stalled ? 'endpoint-stalled' : undefined}>
      {transfer ? transferText(transfer) : (stepText(report) ?? endpointMessage(ownEndpoint))}
    </p>
  );
}

/** The steps of the start, later the program that serves it: both have the same height, so that nothing moves. */
export function EndpointActivity({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { endpoint, report } = ownEndpoint;
  if (endpoint.status.state === 'failed') return null;
  return (
    <div className="endpoint-activity">
      {report.progress ? (
        <StartSteps progress={report.progress} />
      ) : (
        <p className="muted small">{activityText(ownEndpoint)}</p>
      )}
    </div>
  );
}

/** The settings without an effect here, and the reasons for its place. */
export function EndpointNotes({ ownEndpoint: { reasons, report } }: { readonly ownEndpoint: OwnEndpoint }) {
  const unused = unusedSentence(report);
  return (
    <>
      {unused !== null && <p className="small">{unused}</p>}
      {reasons.length > 0 && <p className="muted small">Checked when it was created: {reasons.join(' ')}</p>}
    </>
  );
}
