import { type CommandKey, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { Note } from './Note.tsx';

interface RefusalNoteProps {
  readonly commandKey: CommandKey;
  /** The commands that are given where this stands; left out: all of the place. */
  readonly of?: readonly string[];
}

/** Says why the last command was refused, in the daemon's words, where it was given. */
export function RefusalNote({ commandKey, of }: RefusalNoteProps) {
  const refusal = useDashboard(refusalOf(commandKey, of));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  if (!refusal) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismissRefusal(commandKey) }}
    />
  );
}
