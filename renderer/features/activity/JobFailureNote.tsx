import type { ReactNode } from 'react';
import type { JobFailure } from '../../../daemon/contract/jobs.ts';
import { Note } from '../../parts/notes/Note.tsx';

interface JobFailureNoteProps {
  readonly failure: JobFailure;
  /** Adds the evidence lines, where there is room. */
  readonly withEvidence?: boolean;
  readonly actions?: ReactNode;
  readonly onDismiss?: () => void;
}

/** Shows why a job failed and what to do, optionally with the evidence. */
export function JobFailureNote({ failure, withEvidence = false, actions, onDismiss }: JobFailureNoteProps) {
  return (
    <Note
      tone="failed"
      title={failure.message}
      actions={actions}
      {...(onDismiss && { dismiss: { name: 'Dismiss this failure', onDismiss } })}
    >
      <p>{failure.action}</p>
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
