import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { SmallButton } from '../actions/buttons.tsx';
import { Note } from './Note.tsx';

interface FailedNoteProps {
  /** The failure, without a full stop: `The runs could not be loaded`. */
  readonly title: string;
  readonly error: DaemonError;
  readonly onRetry: () => void;
}

/** Shows a failed load with Try again. */
export function FailedNote({ title, error, onRetry }: FailedNoteProps) {
  return (
    <Note
      tone="failed"
      title={`${title}: ${error.message}`}
      actions={<SmallButton onClick={onRetry}>Try again</SmallButton>}
    />
  );
}
