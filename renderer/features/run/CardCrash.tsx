import { unseenCrashOfApp } from '../../slices/apps/crashes-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CrashNote } from './CrashNote.tsx';
import { killedRunOf } from './run-text.ts';

/** On a card: a crash that nobody has seen, or that the app, which ran last of all, was force-stopped. */
export function CardCrash({ name }: { readonly name: string }) {
  const crash = useDashboard(unseenCrashOfApp(name));
  const killed = useDashboard((s) => killedRunOf(s.slot, name));
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  if (crash) return <CrashNote run={crash} onDismiss={() => void markCrashSeen(crash.runId)} />;
  return killed && <CrashNote run={killed} />;
}
