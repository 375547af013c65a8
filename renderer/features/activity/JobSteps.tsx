import type { WorkStep } from '../../../daemon/contract/common/progress.ts';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { stepStateText } from '../../parts/progress-text.ts';

export function JobSteps({ steps }: { readonly steps: readonly WorkStep[] }) {
  return (
    <ol className="job-steps" aria-label="Steps">
      {steps.map(({ name, title, state }) => (
        <li key={name} className={`job-step step-${state}`} aria-current={state === 'running' ? 'step' : undefined}>
          <StateMark tone={stepStateText[state].tone} />
          {title}
          <span className="visually-hidden">, {stepStateText[state].word}</span>
        </li>
      ))}
    </ol>
  );
}
