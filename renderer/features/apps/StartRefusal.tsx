import { Button } from '@mantine/core';
import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

/** Why a start was refused, in the daemon's words, with the one thing to do about it. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard((s) => s.startRefusals[name]);
  const dismiss = useDashboard((s) => s.dismissStartRefusal);
  if (!refusal) return null;
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(name) }}
      actions={
        <>
          {refusal.status === 409 && <ReplaceButton name={name} />}
          {refusal.status === 503 && <a href={hrefOf('robot')}>See the robot</a>}
          {refusal.status === 404 && <a href={hrefOf('apps', { tab: 'samples' })}>See the samples</a>}
        </>
      }
    />
  );
}

/** Only what we started can be stopped from here. */
function ReplaceButton({ name }: { readonly name: string }) {
  const running = useDashboard((s) =>
    s.slot.state !== 'free' && s.slot.holder.kind === 'managed-app' ? s.slot.holder.appName : null,
  );
  const replaceApp = useDashboard((s) => s.replaceApp);
  const connected = useDashboard(isConnected);
  if (running === null) return null;
  return (
    <Button variant="default" size="compact-sm" disabled={!connected} onClick={() => void replaceApp(name)}>
      Stop {running} and start {name}
    </Button>
  );
}
