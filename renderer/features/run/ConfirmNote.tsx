import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface ConfirmNoteProps {
  readonly question: string;
  /** The label of the button that confirms. */
  readonly answer: string;
  /** The answer is sent and not answered yet. */
  readonly pending: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before a start has a consequence, and takes the focus. */
export function ConfirmNote({ question, answer, pending, onConfirm, onCancel }: ConfirmNoteProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const connected = useDashboard(isConnected);
  // It may open below the visible part of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  return (
    <div ref={box}>
      <Note
        tone="busy"
        urgent
        title={question}
        actions={
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected || pending}
              loading={pending}
              onClick={onConfirm}
            >
              {answer}
            </Button>
            <Button variant="default" size="compact-sm" onClick={onCancel}>
              Cancel
            </Button>
          </>
        }
      />
    </div>
  );
}
