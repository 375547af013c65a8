import { titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ConfirmNote } from './ConfirmNote.tsx';

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
  const title = useDashboard((s) => titleOf(s, running));
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
  return (
    <ConfirmNote
      question={same?.question ?? `${title} is ${stopping ? 'stopping' : 'running'}.`}
      answer={same?.answer ?? `Replace ${title}`}
      {...{ pending, onCancel }}
      onConfirm={onReplace}
    />
  );
}
