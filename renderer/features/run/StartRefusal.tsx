import { type ReactNode, useEffect } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { type AppsSlice, refusedStartOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { type CommandKey, isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseModelButton } from './ChooseModelButton.tsx';

/** Shows the daemon's reason for a refused start, with what to do. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard(refusalOf(`start ${name}`));
  return refusal && <StartRefused name={name} refusal={refusal} />;
}

function StartRefused({ name, refusal }: { readonly name: string; readonly refusal: DaemonError }) {
  const asked = useDashboard(refusedStartOf(name));
  const startApp = useDashboard((s) => s.startApp);
  const running = useDashboard(replaceableApp);
  if (refusal.code === 'endpoint-paid') return <PaidChoice name={name} message={refusal.message} />;
  return (
    <RefusedStart
      commandKey={`start ${name}`}
      name={name}
      refusal={refusal}
      running={running === name ? null : running}
      onReplace={() => void startApp(name, { replace: true, wakePaid: asked.includes('wakePaid') })}
      actions={
        <>
          {refusal.status === 503 && <a href={hrefOf('robot')}>See the robot</a>}
          {refusal.status === 404 && <a href={hrefOf('apps', { tab: 'samples' })}>See the samples</a>}
        </>
      }
    />
  );
}

/** The name of the app in the slot. Only apps started by the daemon can be replaced. */
export const replaceableApp = ({ slot }: AppsSlice): string | null =>
  slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.appName : null;

interface RefusedStartProps {
  readonly commandKey: CommandKey;
  /** null: there is no valid app. */
  readonly name: string | null;
  readonly refusal: DaemonError;
  /** The name of the app that would be stopped; null: none can be. */
  readonly running: string | null;
  /** The question and its answer, if the running app is the same one. */
  readonly same?: { readonly question: string; readonly answer: string } | undefined;
  readonly onReplace: () => void;
  readonly actions?: ReactNode;
}

/** Shows why a start was refused: a need that is not met, another app that could be stopped for it, or a sentence. */
export function RefusedStart({ commandKey, name, refusal, running, same, onReplace, actions }: RefusedStartProps) {
  const title = useDashboard((s) => titleOf(s, running ?? ''));
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
  const pending = useDashboard(isPending(commandKey));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const dismiss = () => dismissRefusal(commandKey);
  if (refusal.unmet && name !== null) return <UnmetNeedNote name={name} refusal={refusal} onDismiss={dismiss} />;
  if (refusal.status === 409 && running !== null) {
    return (
      <ConfirmNote
        question={same?.question ?? `${title} is ${stopping ? 'stopping' : 'running'}.`}
        answer={same?.answer ?? `Replace ${title}`}
        pending={pending}
        onConfirm={onReplace}
        onCancel={dismiss}
      />
    );
  }
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: dismiss }}
      actions={actions}
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

interface UnmetNeedNoteProps {
  readonly name: string;
  /** The refusal of a start, which names the need. */
  readonly refusal: DaemonError;
  readonly onDismiss: () => void;
}

/** Says which need keeps the app from starting, and links to where it can be met. */
function UnmetNeedNote({ name, refusal, onDismiss }: UnmetNeedNoteProps) {
  const { need, label, endpoint } = needAction(refusal);
  return (
    <Note
      tone="failed"
      urgent
      title={withoutPlace(refusal.message)}
      dismiss={{ name: 'Dismiss this message', onDismiss }}
      actions={
        <>
          {endpoint && (
            <SmallButton component="a" href={hrefOf('models', { endpointId: endpointId(endpoint) })}>
              See {endpointId(endpoint)}
            </SmallButton>
          )}
          <ChooseModelButton appName={name} need={need} label={label} />
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

interface ConfirmNoteProps {
  readonly question: string;
  readonly answer: string;
  /** The answer is sent and not answered yet. */
  readonly pending: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before a start has a consequence, and takes the focus. */
export function ConfirmNote({ question, answer, pending, onConfirm, onCancel }: ConfirmNoteProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const connected = useDashboard(isConnected);
  // It may open below the visible part of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  return (
    <div ref={box} className="confirm-note">
      <Note
        tone="busy"
        urgent
        title={question}
        actions={
          <>
            <SmallButton disabled={!connected || pending} loading={pending} onClick={onConfirm}>
              {answer}
            </SmallButton>
            <SmallButton onClick={onCancel}>Cancel</SmallButton>
          </>
        }
      />
    </div>
  );
}
