import { Note } from '../../parts/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { RobotOrder } from './robot-orders.ts';

/** Why the last order was refused, in the daemon's words, where it was given. */
export function OrderRefusal({ of }: { readonly of: readonly RobotOrder[] }) {
  const refusal = useDashboard((s) => s.robotRefusal);
  const dismiss = useDashboard((s) => s.dismissRobotRefusal);
  if (!refusal || !of.includes(refusal.order)) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.error.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: dismiss }}
    />
  );
}
