import type { ReactNode } from 'react';
import { Note } from './Note.tsx';
import './job-log.css';

interface FailureNoteProps {
  readonly failure: { readonly message: string; readonly action: string; readonly evidence: readonly string[] };
  /** Adds the evidence lines, where there is room. */
  readonly withEvidence?: boolean;
  readonly actions?: ReactNode;
  /** Shown below the action. */
  readonly children?: ReactNode;
  readonly onDismiss?: () => void;
}

/** Shows why a job or an endpoint failed and what to do, optionally with the evidence. */
export function FailureNote({ failure, withEvidence = false, actions, children, onDismiss }: FailureNoteProps) {
  return (
    <Note
      tone="failed"
      title={failure.message}
      actions={actions}
      {...(onDismiss && { dismiss: { name: 'Dismiss this failure', onDismiss } })}
    >
      <p>{failure.action}</p>
      {children}
      {withEvidence && failure.evidence.length > 0 && (
        <pre
          className="job-log job-evidence"
          role="log"
          aria-live="off"
          aria-label="Details"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
        >
          {failure.evidence.join('\n')}
        </pre>
      )}
    </Note>
  );
}
