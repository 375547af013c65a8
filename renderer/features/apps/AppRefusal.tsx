import { Note } from '../../parts/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { AppOrder } from './app-orders.ts';

interface AppRefusalProps {
  readonly name: string;
  /** The orders that were given where this stands. */
  readonly of: readonly AppOrder[];
}

/** Why the last order of an app was refused, in the daemon's words, where it was given. */
export function AppRefusal({ name, of }: AppRefusalProps) {
  const refusal = useDashboard((s) => s.appRefusals[name]);
  const dismiss = useDashboard((s) => s.dismissAppRefusal);
  if (!refusal || !of.includes(refusal.order)) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.error.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(name) }}
    />
  );
}
