import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

interface ReplaceChoiceProps {
  /** The name of the app that would be stopped. */
  readonly running: string;
  /** The question and its answer, if the running app is the same one. */
  readonly same?: { readonly question: string; readonly answer: string } | undefined;
  /** The answer is sent and not answered yet. */
  readonly pending: boolean;
  readonly onReplace: () => void;
  readonly onCancel: () => void;
}

/** Asks before another app is stopped for this one. */
export function ReplaceChoice({ running, same, pending, onReplace, onCancel }: ReplaceChoiceProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const title = useDashboard((s) => titleOf(s, running));
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
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
        title={same?.question ?? `${title} is ${stopping ? 'stopping' : 'running'}.`}
        actions={
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected || pending}
              loading={pending}
              onClick={onReplace}
            >
              {same?.answer ?? `Replace ${title}`}
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
