import { NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { transferText } from '../../parts/progress-text.ts';
import { endpointHref } from '../../slices/models/endpoints-slice.ts';
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

/** That it has no chats, the settings without an effect here, and the reasons for its place. */
export function EndpointNotes({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { report } = ownEndpoint;
  const unused = unusedSentence(report);
  const reasons = ownEndpoint.reasons.filter((reason) => reason !== NO_CHAT_TEMPLATE);
  return (
    <>
      {report.lacksChatTemplate && (
        <p>
          {NO_CHAT_TEMPLATE} <a href={endpointHref(ownEndpoint, 'settings')}>Open its settings</a>
        </p>
      )}
      {unused !== null && <p className="small">{unused}</p>}
      {reasons.length > 0 && <p className="muted small">Checked when it was created: {reasons.join(' ')}</p>}
    </>
  );
}
