import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { refusedStartOf } from '../../slices/apps/apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ConfirmNote } from './ConfirmNote.tsx';
import { ReplaceChoice } from './ReplaceChoice.tsx';
import { UnmetNeedNote } from './UnmetNeedNote.tsx';

/** Shows the daemon's reason for a refused start, with what to do. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard(refusalOf(`start ${name}`));
  const dismiss = useDashboard((s) => s.dismissRefusal);
  // Only apps started by the daemon can be replaced.
  const running = useDashboard((s) =>
    s.slot.state !== 'free' && s.slot.holder.kind === 'managed-app' ? s.slot.holder.appName : null,
  );
  if (!refusal) return null;
  if (refusal.code === 'endpoint-paid') return <PaidChoice name={name} message={refusal.message} />;
  if (refusal.unmet) {
    return <UnmetNeedNote name={name} refusal={refusal} onDismiss={() => dismiss(`start ${name}`)} />;
  }
  if (refusal.status === 409 && running !== null && running !== name) {
    return <ReplaceStart name={name} running={running} />;
  }
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(`start ${name}`) }}
      actions={
        <>
          {refusal.status === 503 && <a href={hrefOf('robot')}>See the robot</a>}
          {refusal.status === 404 && <a href={hrefOf('apps', { tab: 'samples' })}>See the samples</a>}
        </>
      }
    />
  );
}

/** Asks before a start wakes an endpoint that costs money. The message has the price. */
function PaidChoice({ name, message }: { readonly name: string; readonly message: string }) {
  const asked = useDashboard(refusedStartOf(name));
  const startApp = useDashboard((s) => s.startApp);
  const restartApp = useDashboard((s) => s.restartApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const pending = useDashboard(isPending(`start ${name}`));
  const confirm = () =>
    asked === 'restart'
      ? restartApp(name, { wakePaid: true })
      : startApp(name, { replace: asked.includes('replace'), wakePaid: true });
  return (
    <ConfirmNote
      question={message}
      answer="Wake and start"
      pending={pending}
      onConfirm={() => void confirm()}
      onCancel={() => dismiss(`start ${name}`)}
    />
  );
}

/** Asks before another app is stopped for this one. */
function ReplaceStart({ name, running }: { readonly name: string; readonly running: string }) {
  const wakePaid = useDashboard(refusedStartOf(name)).includes('wakePaid');
  const startApp = useDashboard((s) => s.startApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const pending = useDashboard(isPending(`start ${name}`));
  return (
    <ReplaceChoice
      running={running}
      pending={pending}
      onReplace={() => void startApp(name, { replace: true, wakePaid })}
      onCancel={() => dismiss(`start ${name}`)}
    />
  );
}
