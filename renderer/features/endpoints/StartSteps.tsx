import type { Transfer, WorkStep } from '../../../daemon/contract/common/progress.ts';
import type { EndpointProgress } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { stepStateText } from '../../parts/progress-text.ts';

/** The steps from the deploy, or from a sleep, to the first answer: a bar each, with its title. */
export function StartSteps({ progress: { steps, transfer } }: { readonly progress: EndpointProgress }) {
  return (
    <ol className="start-steps" aria-label="Steps of the start">
      {steps.map((step) => (
        <Step key={step.name} step={step} transfer={step.state === 'running' ? transfer : null} />
      ))}
    </ol>
  );
}

function Step({ step: { title, state }, transfer }: { readonly step: WorkStep; readonly transfer: Transfer | null }) {
  const { tone, word } = stepStateText[state];
  return (
    <li className={`start-step step-${state}`} aria-current={state === 'running' ? 'step' : undefined}>
      <StepBar title={title} state={state} transfer={transfer} />
      <span className="start-step-title">
        <StateMark tone={tone} />
        <span className="start-step-name">{title}</span>
        <span className="visually-hidden">, {word}</span>
      </span>
    </li>
  );
}

/** Only a download knows its share. */
function StepBar({
  title,
  state,
  transfer,
}: Pick<WorkStep, 'title' | 'state'> & { readonly transfer: Transfer | null }) {
  if (!transfer?.totalBytes) return <span className={`job-progress-part step-${state}`} />;
  const percent = Math.min(100, (100 * transfer.doneBytes) / transfer.totalBytes);
  return (
    <span
      className="job-progress-part"
      role="progressbar"
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
    >
      <span className="job-progress-share" style={{ width: `${percent}%` }} />
    </span>
  );
}
