import { NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { Endpoint, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointProgress } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { hrefOf } from '../../navigation/route.ts';
import { stepStateText, transferText } from '../../parts/notes/progress-text.ts';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { endpointHref } from '../../slices/models/endpoints-slice.ts';
import { StepBar } from '../activity/JobProgress.tsx';
import { activityText, endpointMessage, stepText, unusedSentence } from './endpoint-text.ts';

/** The state in a sentence, or the progress of a download or of another step. A failure has its own note; where the word of the state says all, there is none. */
export function EndpointMessage({ ownEndpoint }: { readonly ownEndpoint: OwnEndpoint }) {
  const { endpoint, report } = ownEndpoint;
  const transfer = report.progress?.transfer ?? null;
  const text = transfer ? transferText(transfer) : (stepText(report) ?? endpointMessage(ownEndpoint));
  if (endpoint.status.state === 'failed' || text === '') return <span />;
  return <p className={transfer?.stalled ? 'endpoint-stalled' : undefined}>{text}</p>;
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

/** The steps from the deploy, or from a sleep, to the first answer: a bar each, with its title. */
export function StartSteps({ progress: { steps, transfer } }: { readonly progress: EndpointProgress }) {
  return (
    <ol className="start-steps" aria-label="Steps of the start">
      {steps.map((step) => (
        <li
          key={step.name}
          className={`start-step step-${step.state}`}
          aria-current={step.state === 'running' ? 'step' : undefined}
        >
          <StepBar step={step} transfer={transfer} isNamed />
          <span className="start-step-title">
            <StateMark tone={stepStateText[step.state].tone} />
            <span className="start-step-name">{step.title}</span>
            <span className="visually-hidden">, {stepStateText[step.state].word}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The model: a link to its page in the catalog, or the path of a file of this machine. */
export function ModelName({ endpoint: { model, experimentalFeatures } }: { readonly endpoint: Endpoint }) {
  const path = experimentalFeatures.skipRepoDownload ? model.image.llamacpp?.modelPath : undefined;
  if (path !== undefined) return <span className="muted small mono endpoint-model">{path}</span>;
  if (!model.fromCatalog) return <span className="small endpoint-model">{model.repository}</span>;
  return (
    <a className="small endpoint-model" href={hrefOf('models', { modelId: model.repository })}>
      {model.repository}
    </a>
  );
}
