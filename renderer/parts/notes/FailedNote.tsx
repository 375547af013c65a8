import { Button } from '@mantine/core';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
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
      actions={
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
