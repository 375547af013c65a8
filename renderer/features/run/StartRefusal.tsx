import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointRef } from '../../../daemon/contract/apps/needs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { refusedStartOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { endpointId } from '../../slices/apps/needs-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseModelButton } from './ChooseModelButton.tsx';

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
  if (refusal.unmet)
    return <UnmetNeedNote name={name} message={withoutPlace(refusal.message)} {...needAction(refusal)} />;
  if (refusal.status === 409 && running !== null && running !== name) {
    return <ReplaceChoice name={name} running={running} />;
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

/** The sentence without its advice to go to the app's page: the button says it, also on that page. */
const withoutPlace = (message: string): string => message.replace(/ Choose [\w ]{1,20} on the app's page\.$/, '');

/** The button for the need that keeps an app from starting, and whether its endpoint is to be looked after. */
function needAction({ code, unmet }: DaemonError) {
  const isThere = code === 'endpoint-paused' || code === 'endpoint-failed';
  const label = code === 'need-unassigned' ? 'Choose a model' : 'Choose another endpoint';
  return { need: unmet?.need ?? '', label, endpoint: isThere ? (unmet?.endpoint ?? null) : null };
}

interface UnmetNeedNoteProps {
  readonly name: string;
  readonly message: string;
  readonly need: string;
  readonly label: string;
  /** The endpoint that can be made ready; null: another one must be chosen. */
  readonly endpoint: EndpointRef | null;
}

/** Says which need keeps the app from starting, and leads to the place where that is put right. */
function UnmetNeedNote({ name, message, need, label, endpoint }: UnmetNeedNoteProps) {
  const dismiss = useDashboard((s) => s.dismissRefusal);
  return (
    <Note
      tone="failed"
      urgent
      title={message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(`start ${name}`) }}
      actions={
        <>
          {endpoint && (
            <Button
              component="a"
              variant="default"
              size="compact-sm"
              href={hrefOf('models', { endpointId: endpointId(endpoint) })}
            >
              See {endpointId(endpoint)}
            </Button>
          )}
          <ChooseModelButton appName={name} need={need} label={label} />
        </>
      }
    />
  );
}

/** Asks before a start wakes an endpoint that costs money. The message has the price. */
function PaidChoice({ name, message }: { readonly name: string; readonly message: string }) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const asked = useDashboard(refusedStartOf(name));
  const startApp = useDashboard((s) => s.startApp);
  const restartApp = useDashboard((s) => s.restartApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const connected = useDashboard(isConnected);
  const pending = useDashboard(isPending(`start ${name}`));
  const confirm = () =>
    asked === 'restart'
      ? restartApp(name, { wakePaid: true })
      : startApp(name, { replace: asked.includes('replace'), wakePaid: true });
  return (
    <div ref={box}>
      <Note
        tone="busy"
        urgent
        title={message}
        actions={
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected || pending}
              loading={pending}
              onClick={() => void confirm()}
            >
              Wake and start
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => dismiss(`start ${name}`)}>
              Cancel
            </Button>
          </>
        }
      />
    </div>
  );
}

interface ReplaceChoiceProps {
  readonly name: string;
  readonly running: string;
}

/** Asks before another app is stopped for this one. */
function ReplaceChoice({ name, running }: ReplaceChoiceProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const title = useDashboard((s) => titleOf(s, running));
  const wakePaid = useDashboard(refusedStartOf(name)).includes('wakePaid');
  const startApp = useDashboard((s) => s.startApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
  const connected = useDashboard(isConnected);
  const pending = useDashboard(isPending(`start ${name}`));
  // It may open below the visible part of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  return (
    <div ref={box}>
      <Note
        tone="busy"
        urgent
        title={`${title} is ${stopping ? 'stopping' : 'running'}.`}
        actions={
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected || pending}
              loading={pending}
              onClick={() => void startApp(name, { replace: true, wakePaid })}
            >
              Replace {title}
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => dismiss(`start ${name}`)}>
              Cancel
            </Button>
          </>
        }
      />
    </div>
  );
}
