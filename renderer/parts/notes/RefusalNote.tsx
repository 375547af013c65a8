import { useLayoutEffect } from 'react';
import { type CommandKey, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard, useDashboardStore } from '../../store/use-dashboard.ts';
import { Note } from './Note.tsx';

interface RefusalNoteProps {
  readonly commandKey: CommandKey;
  /** Only refusals of these commands; by default of all commands of the key. */
  readonly commands?: readonly string[];
  /** Cannot be dismissed: the next command replaces it. */
  readonly stays?: boolean;
  /** Shows no refusal of before it appeared, as in a dialog that is opened again. */
  readonly fresh?: boolean;
}

/** Shows the daemon's reason for refusing the last command. */
export function RefusalNote({ commandKey, commands, stays = false, fresh = false }: RefusalNoteProps) {
  const refusal = useDashboard(refusalOf(commandKey, commands));
  const store = useDashboardStore();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useLayoutEffect(() => {
    if (fresh && refusal) store.getState().dismissRefusal(commandKey);
  }, []);
  if (!refusal) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      {...(!stays && {
        dismiss: { name: 'Dismiss this message', onDismiss: () => store.getState().dismissRefusal(commandKey) },
      })}
    />
  );
}
