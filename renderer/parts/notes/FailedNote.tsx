import { Button } from '@mantine/core';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { Note } from './Note.tsx';

interface FailedNoteProps {
  /** What it is that is not there, without a full stop. */
  readonly what: string;
  readonly error: DaemonError;
  readonly onRetry: () => void;
}

/** Why something that was asked for is not shown, and the way to ask again. */
export function FailedNote({ what, error, onRetry }: FailedNoteProps) {
  return (
    <Note
      tone="failed"
      title={`${what}: ${error.message}`}
      actions={
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
